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


TYPES = [ast.dump(ast.parse(text).body[0]) for text in ("from typing import Any", "import typing")]


def brought(statement, there):
    """Is it the helper, or an import that it needs and that was not there?"""
    if isinstance(statement, ast.FunctionDef) and statement.name.startswith(HELPER):
        return True
    if isinstance(statement, ast.ImportFrom) and statement.module == CONTEXT:
        return True
    text = ast.dump(statement)
    return text in TYPES and text not in there


def same_tree(before, after):
    there = [ast.dump(s) for s in before.body]
    after.body = [s for s in after.body if not brought(s, there)]
    return ast.dump(before) == ast.dump(Unwrap().visit(after))


def lines_outside(before, after, ranges):
    old, new = before.splitlines(True), after.splitlines(True)
    for kind, start, end, _, _ in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if kind in ("equal", "insert"):
            continue
        for line in range(start + 1, end + 1):
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
