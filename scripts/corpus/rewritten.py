"""Says of rewritten files what does not hold, in terms of the Python that runs this and of nothing else.

Reads a list of {file, before, after, ranges} from standard input, bytes in base64; prints a list of sentences.
"""
import ast
import base64
import difflib
import json
import sys
import threading

HELPER = "_run_with_context"
CONTEXT = sys.argv[1]


class Unwrap(ast.NodeTransformer):
    """Takes the calls of the helper away."""

    def visit_Call(self, node):
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        return node.args[0] if name.startswith(HELPER) and len(node.args) == 2 else node


def is_helper(statement):
    """Is it the helper, or the import that it needs of the project?"""
    if isinstance(statement, ast.FunctionDef) and statement.name.startswith(HELPER):
        return True
    return isinstance(statement, ast.ImportFrom) and statement.module == CONTEXT


class WithoutAny(ast.NodeTransformer):
    """Takes away what the helper may import of typing, which the file may have imported itself."""

    def visit_Import(self, node):
        node.names = [n for n in node.names if (n.name, n.asname) != ("typing", None)]
        return node if node.names else None

    def visit_ImportFrom(self, node):
        if node.module == "typing":
            node.names = [n for n in node.names if (n.name, n.asname) != ("Any", None)]
        return node if node.names else None


def same_tree(before, after):
    after.body = [s for s in after.body if not is_helper(s)]
    return ast.dump(WithoutAny().visit(before)) == ast.dump(WithoutAny().visit(Unwrap().visit(after)))


def lines_outside(before, after, ranges):
    old, new = before.splitlines(True), after.splitlines(True)
    for kind, start, end, _, _ in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if kind in ("equal", "insert"):
            continue
        for line in range(start + 1, end + 1):
            if old[line - 1].startswith(b"from typing import "):
                continue
            if not any(first <= line <= last for first, last in ranges):
                yield line


def judge(item):
    file = item["file"]
    before, after = base64.b64decode(item["before"]), base64.b64decode(item["after"])
    for line in lines_outside(before, after, item["ranges"]):
        yield "%s:%d: changed, and no site is there" % (file, line)
    try:
        original = ast.parse(before, file)
        compile(before, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return
    try:
        compile(after, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as problem:
        yield "%s: compiled before, not now: %s" % (file, problem)
        return
    if not same_tree(original, ast.parse(after, file)):
        yield "%s: another tree than the original's with its coroutines wrapped" % file


def main():
    import warnings

    warnings.simplefilter("ignore")
    print(json.dumps([problem for item in json.load(sys.stdin) for problem in judge(item)]))


sys.setrecursionlimit(100000)
threading.stack_size(512 * 1024 * 1024)
thread = threading.Thread(target=main)
thread.start()
thread.join()
