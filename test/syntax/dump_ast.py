"""Prints what CPython's own parser makes of Python files, for the comparison with looptag's parser.

File names come on stdin, one a line. One JSON line answers each: {"file", "ok", "dump" | "digest", "error", "line"}.
`--full` prints whole dumps instead of their MD5. The dump is described at `dump` in dump.ts; both must agree to the byte.
"""

import ast
import hashlib
import json
import re
import struct
import sys
import warnings

sys.setrecursionlimit(60000)
warnings.simplefilter("ignore")
LINE_END = re.compile("\r\n|\r|\n")
EXACT_FIELDS = sys.version_info >= (3, 12)

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "Mod": "%", "Pow": "**", "LShift": "<<",
    "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "FloorDiv": "//", "And": "and", "Or": "or",
    "Invert": "~", "Not": "not", "UAdd": "+", "USub": "-", "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=",
    "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}

FIELDS = {
    "Module": "body", "Return": "value", "Delete": "targets", "Assign": "targets value",
    "AugAssign": "target op value", "AnnAssign": "target annotation value", "TypeAlias": "name type_params value",
    "While": "test body orelse", "If": "test body orelse", "Match": "subject cases", "Raise": "exc cause",
    "Assert": "test msg", "Import": "names", "ImportFrom": "module level names", "Global": "names",
    "Nonlocal": "names", "Expr": "value", "Pass": "", "Break": "", "Continue": "", "BoolOp": "op values",
    "NamedExpr": "target value", "BinOp": "left op right", "UnaryOp": "op operand", "Lambda": "args body",
    "IfExp": "test body orelse", "Dict": "keys values", "Set": "elts", "ListComp": "elt generators",
    "SetComp": "elt generators", "DictComp": "key value generators", "GeneratorExp": "elt generators",
    "Await": "value", "Yield": "value", "YieldFrom": "value", "Compare": "left ops comparators",
    "Call": "func args keywords", "Attribute": "value attr ctx", "Subscript": "value slice ctx",
    "Starred": "value ctx", "Name": "id ctx", "List": "elts ctx", "Tuple": "elts ctx", "Slice": "lower upper step",
    "ClassDef": "name type_params bases keywords body decorator_list", "ExceptHandler": "type name body",
    "alias": "name asname", "keyword": "arg value", "withitem": "context_expr optional_vars",
    "match_case": "pattern guard body", "MatchValue": "value", "MatchSequence": "patterns",
    "MatchMapping": "keys patterns rest", "MatchClass": "cls patterns kwd_attrs kwd_patterns", "MatchStar": "name",
    "MatchAs": "pattern name", "MatchOr": "patterns", "TypeVar": "name bound default_value",
    "ParamSpec": "name default_value", "TypeVarTuple": "name default_value",
    "comprehension": "is_async target iter ifs", "FunctionDef": "name type_params args returns body decorator_list",
    "For": "target iter body orelse", "With": "items body", "Try": "body handlers orelse finalbody",
}
FIELDS = {kind: tuple(fields.split()) for kind, fields in FIELDS.items()}
for kind in ("FunctionDef", "For", "With"):
    FIELDS["Async" + kind] = FIELDS[kind]
FIELDS["TryStar"] = FIELDS["Try"]


class Dumper:
    def __init__(self, text):
        self.out = []
        self.lines = [0]
        self.texts = []
        at = 0
        for end in LINE_END.finditer(text):
            self.texts.append(text[at:end.end()])
            at = end.end()
            self.lines.append(self.lines[-1] + len(self.texts[-1].encode("utf-16-le")) // 2)
        self.texts.append(text[at:])
        self.units = text.encode("utf-16-le", "surrogatepass") if "\\N{" in text else b""
        self.with_positions = True

    def offset(self, line, column):
        text = self.texts[line - 1]
        if text.isascii():
            return self.lines[line - 1] + column
        return self.lines[line - 1] + len(text.encode()[:column].decode().encode("utf-16-le")) // 2

    def span(self, node):
        if not self.with_positions or not hasattr(node, "end_lineno"):
            return ""
        start = self.offset(node.lineno, node.col_offset)
        return f":{start}:{self.offset(node.end_lineno, node.end_col_offset)}"

    def value(self, value):
        if value is None:
            self.out.append("~")
        elif isinstance(value, list):
            self.out.append("[")
            for item in value:
                self.value(item)
            self.out.append("]")
        elif isinstance(value, ast.expr_context):
            self.out.append(type(value).__name__.lower())
        elif isinstance(value, (ast.operator, ast.boolop, ast.unaryop, ast.cmpop)):
            self.out.append(OPERATORS[type(value).__name__])
        elif isinstance(value, ast.AST):
            self.node(value)
        else:
            self.out.append(str(value))

    def node(self, node):
        kind = type(node).__name__
        special = getattr(self, "dump_" + kind, None)
        if special:
            special(node)
            return
        self.out.append(f"({kind}{self.span(node)}")
        for field in FIELDS[kind]:
            self.value(getattr(node, field, [] if field == "type_params" else None))
        self.out.append(")")

    def dump_Constant(self, node):
        value = node.value
        if isinstance(value, str) and self.is_named(node):
            text = "str named"
        elif isinstance(value, str):
            text = "str " + hashlib.md5(value.encode("utf-16-le", "surrogatepass")).hexdigest()[:8]
        elif isinstance(value, bytes):
            text = "bytes " + hashlib.md5(value.decode("latin-1").encode("utf-16-le")).hexdigest()[:8]
        elif isinstance(value, bool):
            text = f"bool {int(value)}"
        elif isinstance(value, (int, float)):
            try:
                number = float(value)
            except OverflowError:
                number = float("inf")
            text = type(value).__name__ + " " + struct.pack(">d", number).hex()
        else:
            text = {"complex": "complex", "NoneType": "none", "ellipsis": "ellipsis"}[type(value).__name__]
        self.out.append(f"(Constant{self.span(node)} {text})")

    def is_named(self, node):
        # looptag does not know the characters that \N{...} names.
        if not self.units or not self.with_positions:
            return False
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno, node.end_col_offset)
        return "\\N{" in self.units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")

    def dump_MatchSingleton(self, node):
        self.out.append(f"(MatchSingleton{self.span(node)} {node.value})")

    def dump_JoinedStr(self, node):
        self.out.append(f"(JoinedStr{self.span(node)}")
        before = self.with_positions
        self.with_positions = before and EXACT_FIELDS
        self.fields(node)
        self.with_positions = before
        self.out.append(")")

    dump_TemplateStr = dump_JoinedStr

    def fields(self, joined):
        self.out.append("[")
        for value in joined.values if joined else ():
            if not isinstance(value, ast.Constant):
                self.formatted(value)
        self.out.append("]")

    def formatted(self, node):
        self.out.append(f"(FormattedValue{self.span(node)}")
        self.value(node.value)
        self.out.append(chr(node.conversion) if node.conversion >= 0 else "~")
        self.fields(node.format_spec)
        self.out.append(")")

    def dump_arguments(self, node):
        positional = node.posonlyargs + node.args
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        self.out.append(f"(arguments {len(node.posonlyargs)}")
        for arg, default in zip(positional, defaults):
            self.arg(arg, default)
        self.arg(node.vararg, None)
        for arg, default in zip(node.kwonlyargs, node.kw_defaults):
            self.arg(arg, default)
        self.arg(node.kwarg, None)
        self.out.append(")")

    def arg(self, node, default):
        if node is None:
            self.out.append("~")
            return
        self.out.append(f"(arg{self.span(node)} {node.arg}")
        self.value(node.annotation)
        self.value(default)
        self.out.append(")")


def answer(name, full):
    with open(name, "rb") as file:
        source = file.read()
    result = {"file": name, "ok": True}
    try:
        tree = ast.parse(source)
        dumper = Dumper(decode(source))
        dumper.node(tree)
    except (SyntaxError, ValueError) as error:
        return {"file": name, "ok": False, "error": getattr(error, "msg", str(error)), "line": getattr(error, "lineno", 0)}
    dump = "\n".join(dumper.out)
    if full:
        result["dump"] = dump
    else:
        result["digest"] = hashlib.md5(dump.encode("utf-8", "surrogatepass")).hexdigest()
    return result


def decode(source):
    import io
    import tokenize

    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    text = source.decode(encoding)
    return text[1:] if text.startswith("\ufeff") else text


for line in sys.stdin:
    print(json.dumps(answer(line.rstrip("\n"), "--full" in sys.argv)), flush=True)
