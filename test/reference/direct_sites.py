"""Where does a Python file start tasks? A second opinion that shares nothing with looptag: one file at a time, by `ast` alone.

    python3 direct_sites.py < LIST-OF-FILES     one JSON object a line: {"file", "sites": [[line, column, api], ...]} or {"file", "error"}

A call counts when one of the things that its callee may be, where the call stands, is known to start a task. What a name may be follows
from its scope and from the bindings that can reach it: the last one that surely ran before, and those in branches after it. Lines and columns
are 1-based, columns in code points without a BOM. Calls of the project's own wrappers are no business of this file.
"""
import ast
import io
import json
import re
import sys
import threading
import tokenize
import warnings
from collections import defaultdict

STARTS = {
    "asyncio.create_task": "asyncio.create_task",
    "asyncio.ensure_future": "asyncio.ensure_future",
    "asyncio.Task": "asyncio.Task",
    "asyncio.run_coroutine_threadsafe": "asyncio.run_coroutine_threadsafe",
    "<loop>.create_task": "loop.create_task",
    "<group>.create_task": "TaskGroup.create_task",
    "<anyio group>.start_soon": "anyio.TaskGroup.start_soon",
    "<anyio group>.start": "anyio.TaskGroup.start",
    "<nursery>.start_soon": "trio.Nursery.start_soon",
    "<nursery>.start": "trio.Nursery.start",
}
# What a call of a known thing yields.
YIELDS = {
    "asyncio.TaskGroup": "<group>",
    "asyncio.Runner": "<runner>",
    "<runner>.get_loop": "<loop>",
    "asyncio.get_event_loop_policy": "<policy>",
    "anyio.create_task_group": "<anyio group>",
    "trio.open_nursery": "<nursery>",
}
LOOP_CLASSES = ("BaseEventLoop", "SelectorEventLoop", "ProactorEventLoop", "EventLoop")
for maker in ("get_running_loop", "get_event_loop", "new_event_loop", "_get_running_loop", *LOOP_CLASSES):
    YIELDS["asyncio." + maker] = "<loop>"
for maker in ("uvloop.new_event_loop", "uvloop.Loop", "<policy>.get_event_loop", "<policy>.new_event_loop"):
    YIELDS[maker] = "<loop>"
# What an annotation says of a value.
ANNOTATES = {"asyncio.TaskGroup": "<group>", "uvloop.Loop": "<loop>", "trio.Nursery": "<nursery>"}
ANNOTATES.update({"asyncio." + name: "<loop>" for name in ("AbstractEventLoop", *LOOP_CLASSES)})
ANNOTATES.update({"anyio.abc.TaskGroup": "<anyio group>", "anyio.TaskGroup": "<anyio group>"})

PARTS_OF_ASYNCIO = set(
    "tasks events taskgroups runners base_events unix_events windows_events selector_events proactor_events futures coroutines"
    " locks queues timeouts threads base_futures base_tasks".split()
)
FROM_STAR = set(
    "create_task ensure_future get_running_loop get_event_loop new_event_loop _get_running_loop TaskGroup Runner Task"
    " run_coroutine_threadsafe AbstractEventLoop get_event_loop_policy SelectorEventLoop BaseEventLoop".split()
)
HANDED_ON_BY_WITH = {"<group>", "<anyio group>", "<nursery>", "<runner>"}
NOTHING = "None"
WORDS = ("create_task", "ensure_future", "run_coroutine_threadsafe", "Task", "start_soon", "start")


def public(dotted):
    """asyncio.tasks.create_task is asyncio.create_task."""
    first, _, rest = dotted.partition(".")
    part, _, name = rest.partition(".")
    return "asyncio." + name if first == "asyncio" and name and part in PARTS_OF_ASYNCIO else dotted


class Scope:
    def __init__(self, kind, parent, branch):
        self.kind, self.parent, self.branch = kind, parent, branch
        self.bound = defaultdict(list)
        self.of_module, self.of_outer = set(), set()
        self.members = defaultdict(list)  # of a class: what its methods assign to their first parameter
        self.owner = self.first = None  # of a method: its class and the name of that parameter

    def code(self):
        """A comprehension runs within the code around it."""
        return self.parent.code() if self.kind == "comprehension" else self


class Bound:
    """One binding of a name: `mean()` says what it may stand for."""

    def __init__(self, mean, when, branch, remote=False, value_like=False, always=False):
        self.mean, self.when, self.branch = mean, when, branch
        self.remote = remote  # made from another scope, by `global` or `nonlocal`
        self.value_like = value_like  # an assignment
        self.always = always  # a parameter


class Reader(ast.NodeVisitor):
    """Reads the file in the order in which it runs and notes for each name where it stands."""

    def __init__(self, tree):
        self.now = 0
        self.branches = 0
        self.module = self.scope = Scope("module", None, ())
        self.branch = ()
        self.stars = []
        self.place = {}  # name node -> (scope, branch, when)
        self.calls = []
        self.meaning = Meaning(self)
        self.body(tree.body)

    # -- the flow -----------------------------------------------------------------------------

    def tick(self):
        self.now += 1
        return self.now

    def body(self, statements):
        for statement in statements:
            self.visit(statement)

    def fork(self, statements):
        """Statements that may be skipped."""
        outside, self.branch = self.branch, self.new_branch()
        self.body(statements)
        self.branch = outside

    def new_branch(self):
        self.branches += 1
        return self.branch + (self.branches,)

    def enter(self, scope):
        outside = self.scope, self.branch
        self.scope, self.branch = scope, scope.branch
        return outside

    def leave(self, outside):
        self.scope, self.branch = outside

    # -- bindings -----------------------------------------------------------------------------

    def bind(self, name, mean, scope=None, **more):
        scope = scope or self.scope
        home, remote = scope, False
        if name in scope.of_module:
            home, remote = self.module, scope is not self.module
        elif name in scope.of_outer:
            outer = scope.parent
            while outer and not (outer.kind == "function" and name in outer.bound):
                outer = outer.parent
            home, remote = outer or scope, True
        home.bound[name].append(Bound(mean, self.tick(), self.branch, remote, **more))

    def assign(self, target, mean, value=None):
        """Binds a target to what `mean` yields; `value` is its expression, for unpacking."""
        if isinstance(target, ast.Name):
            self.bind(target.id, mean, value_like=True)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, unknown)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = getattr(value, "elts", None) if isinstance(value, (ast.Tuple, ast.List)) else None
            starred = any(isinstance(part, ast.Starred) for part in [*target.elts, *(parts or ())])
            if not parts or starred or len(parts) != len(target.elts):
                parts = [None] * len(target.elts)
            for one, part in zip(target.elts, parts):
                self.assign(one, self.meaning.later(part) if part else unknown, part)
        else:
            if isinstance(target, ast.Attribute):
                self.member(target, mean)
            self.visit(target)

    def member(self, target, mean):
        """`self.loop = …` in a method says something of the class."""
        if not isinstance(target.value, ast.Name):
            return
        scope = self.scope
        while scope:
            if scope.owner and scope.first == target.value.id:
                scope.owner.members[target.attr].append(mean)
                return
            if target.value.id in scope.bound:
                return
            scope = scope.parent

    # -- statements ---------------------------------------------------------------------------

    def visit_Import(self, node):
        for alias in node.names:
            dotted = alias.name if alias.asname else alias.name.split(".")[0]
            self.bind(alias.asname or dotted, known(public(dotted)))

    def visit_ImportFrom(self, node):
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(node.module if not node.level else None)
            else:
                mean = unknown if node.level else known(public("%s.%s" % (node.module, alias.name)))
                self.bind(alias.asname or alias.name, mean)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.assign(target, self.meaning.later(node.value), node.value)

    def visit_AnnAssign(self, node):
        self.visit(node.annotation)
        if node.value:
            self.visit(node.value)
        self.assign(node.target, lambda: self.meaning.annotated(node.annotation, node.value))

    def visit_AugAssign(self, node):
        self.visit(node.value)
        self.assign(node.target, unknown)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        inner, self.scope = self.scope, self.scope.code()
        self.assign(node.target, self.meaning.later(node.value))
        self.scope = inner

    def visit_Delete(self, node):
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.scope.bound[target.id]  # local from now on, but to nothing
            else:
                self.visit(target)

    def visit_Global(self, node):
        if self.scope is not self.module:
            self.scope.of_module.update(node.names)

    def visit_Nonlocal(self, node):
        self.scope.of_outer.update(node.names)

    def visit_For(self, node):
        self.visit(node.iter)
        self.assign(node.target, unknown)
        self.fork(node.body)
        self.fork(node.orelse)

    visit_AsyncFor = visit_For

    def visit_While(self, node):
        self.visit(node.test)
        self.fork(node.body)
        self.fork(node.orelse)

    visit_If = visit_While

    def visit_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars:
                self.assign(item.optional_vars, lambda value=item.context_expr: self.meaning.of(value) & HANDED_ON_BY_WITH)
        self.body(node.body)

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        self.fork(node.body)
        for handler in node.handlers:
            if handler.type:
                self.visit(handler.type)
            outside, self.branch = self.branch, self.new_branch()
            if handler.name:
                self.bind(handler.name, unknown)
            self.body(handler.body)
            self.branch = outside
        self.fork(node.orelse)
        self.body(node.finalbody)

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        self.visit(node.subject)
        for case in node.cases:
            outside, self.branch = self.branch, self.new_branch()
            for part in ast.walk(case.pattern):
                name = getattr(part, "rest" if type(part).__name__ == "MatchMapping" else "name", None)
                if isinstance(name, str):
                    self.bind(name, unknown)
                elif isinstance(part, ast.expr):
                    self.visit(part)
            if case.guard:
                self.visit(case.guard)
            self.body(case.body)
            self.branch = outside

    # -- scopes -------------------------------------------------------------------------------

    def parameters(self, args):
        plain = [*args.posonlyargs, *args.args]
        defaults = dict(zip([arg.arg for arg in plain[len(plain) - len(args.defaults) :]], args.defaults))
        defaults.update({arg.arg: value for arg, value in zip(args.kwonlyargs, args.kw_defaults) if value})
        for arg in [*plain, *args.kwonlyargs]:
            yield arg, defaults.get(arg.arg)
        for arg in filter(None, (args.vararg, args.kwarg)):
            yield arg, None

    def function(self, node, kind, body):
        for value in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            self.visit(value)
        if kind == "function" and not isinstance(node, ast.Lambda):
            self.bind(node.name, unknown)
        generic = self.type_parameters(node)
        if not isinstance(node, ast.Lambda):
            for arg, _ in self.parameters(node.args):
                if arg.annotation:
                    self.visit(arg.annotation)
            if node.returns:
                self.visit(node.returns)
        inner = Scope("function", self.scope, self.new_branch())
        if generic:
            self.leave(generic)
        self.own(node, inner)
        outside = self.enter(inner)
        for arg, default in self.parameters(node.args):
            variadic = arg is node.args.vararg or arg is node.args.kwarg
            mean = self.meaning.of_parameter(arg, default, inner) if not variadic else unknown
            self.bind(arg.arg, mean, always=True)
        body()
        self.leave(outside)

    def own(self, node, inner):
        if isinstance(node, ast.Lambda):
            return
        self.declared(node.body, inner)
        static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)
        plain = [*node.args.posonlyargs, *node.args.args]
        if self.scope.kind == "class" and plain and not static:
            inner.owner, inner.first = self.scope, plain[0].arg

    def declared(self, statements, scope):
        """`global` and `nonlocal` hold above their line too."""
        waiting = list(statements)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Global):
                scope.of_module.update(node.names)
            elif isinstance(node, ast.Nonlocal):
                scope.of_outer.update(node.names)
            elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                waiting.extend(ast.iter_child_nodes(node))

    def type_parameters(self, node):
        """Opens the scope of `[T]`; what to leave to, or None."""
        if not getattr(node, "type_params", None):
            return None
        outside = self.enter(Scope("types", self.scope, self.branch))
        for each in node.type_params:
            self.bind(each.name, unknown)
            self.generic_visit(each)
        return outside

    def visit_FunctionDef(self, node):
        for each in node.decorator_list:
            self.visit(each)
        self.function(node, "function", lambda: self.body(node.body))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.function(node, "lambda", lambda: self.visit(node.body))

    def visit_ClassDef(self, node):
        for each in node.decorator_list:
            self.visit(each)
        generic = self.type_parameters(node)
        for each in [*node.bases, *(keyword.value for keyword in node.keywords)]:
            self.visit(each)
        inner = Scope("class", self.scope, self.new_branch())
        if generic:
            self.leave(generic)
        self.declared(node.body, inner)
        outside = self.enter(inner)
        self.body(node.body)
        self.leave(outside)
        self.bind(node.name, unknown)

    def visit_TypeAlias(self, node):
        self.assign(node.name, unknown)
        generic = self.type_parameters(node)
        self.visit(node.value)
        if generic:
            self.leave(generic)

    def comprehension(self, node):
        self.visit(node.generators[0].iter)
        outside = self.enter(Scope("comprehension", self.scope, self.branch))
        for i, part in enumerate(node.generators):
            if i:
                self.visit(part.iter)
            self.assign(part.target, unknown)
            for each in part.ifs:
                self.visit(each)
        for each in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
            if each is not None:
                self.visit(each)
        self.leave(outside)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    # -- expressions --------------------------------------------------------------------------

    def visit_Name(self, node):
        self.place[node] = self.scope, self.branch, self.tick()

    def visit_Call(self, node):
        self.calls.append(node)
        self.generic_visit(node)


def unknown():
    return set()


def known(dotted):
    return lambda: {dotted}


class Meaning:
    """What an expression may stand for: dotted names of libraries, `<kinds>` of objects, ("self", class)."""

    def __init__(self, reader):
        self.reader = reader
        self.answers, self.asked = {}, []
        self.circles = 0

    def later(self, node):
        return lambda: self.of(node)

    def of(self, node):
        return self.once(node, lambda: self.by_kind(node))

    def once(self, key, answer):
        """An answer that went in a circle holds only for the question that it was part of."""
        if key in self.answers:
            return set(self.answers[key])
        if key in self.asked:
            self.circles += 1
            return set()
        self.asked.append(key)
        before = self.circles
        try:
            found = answer()
        finally:
            self.asked.pop()
        if self.circles == before or not self.asked:
            self.answers[key] = set(found)
        return found

    def by_kind(self, node):
        if isinstance(node, ast.Name):
            return self.of_name(node)
        if isinstance(node, ast.Attribute):
            return self.union(self.of_attribute(value, node.attr) for value in self.of(node.value))
        if isinstance(node, ast.Call):
            return self.union(self.of_call(callee, node) for callee in [*self.of(node.func), None])
        if isinstance(node, (ast.Await, ast.NamedExpr)):
            return self.of(node.value)
        if isinstance(node, ast.IfExp):
            return self.of(node.body) | self.of(node.orelse)
        if isinstance(node, ast.BoolOp):
            return self.union(self.of(value) for value in node.values)
        if isinstance(node, ast.Constant) and node.value is None:
            return {NOTHING}
        return set()

    @staticmethod
    def union(sets):
        return set().union(*sets)

    # -- names --------------------------------------------------------------------------------

    def of_name(self, node):
        scope, branch, when = self.reader.place[node]
        home = self.home(node.id, scope)
        if home is None:
            if node.id in FROM_STAR and "asyncio" in self.reader.stars:
                return {"asyncio." + node.id}
            return {"builtins." + node.id} if node.id in ("getattr", "map", "__import__") else set()
        return self.union(self.of_bound(bound) for bound in self.reaching(home, node.id, scope, branch, when))

    def of_bound(self, bound):
        return self.once(bound, bound.mean)

    def home(self, name, scope):
        """The scope that a name belongs to: a class body is seen from within itself only."""
        at = scope
        while at is not None:
            if name in at.of_module and at is not self.reader.module:
                return self.reader.module if name in self.reader.module.bound else None
            if name in at.of_outer:
                at = at.parent
                while at and at.kind == "class":
                    at = at.parent
            elif name in at.bound and (at.kind != "class" or at is scope):
                return at
            else:
                at = at.parent
        return None

    @staticmethod
    def reaching(home, name, scope, branch, when):
        bounds = home.bound[name]
        near = [bound for bound in bounds if not bound.remote]
        far = [bound for bound in bounds if bound.remote]
        if scope.code() is home:
            before = [bound for bound in near if bound.when < when or bound.always]
            sure = [i for i, bound in enumerate(before) if branch[: len(bound.branch)] == bound.branch]
            near = before[sure[-1] if sure else 0 :] if before else near
        else:
            # From another scope: whatever the name is in the end.
            sure = [i for i, bound in enumerate(near) if bound.branch == home.branch]
            near = near[sure[-1] if sure else 0 :]
        return near + far

    # -- the rest -----------------------------------------------------------------------------

    def of_attribute(self, value, name):
        if isinstance(value, tuple):
            owner = value[1]
            assigned = self.union(self.once((owner, name, i), mean) for i, mean in enumerate(owner.members.get(name, ())))
            in_body = [bound for bound in owner.bound.get(name, ()) if bound.value_like]
            # A function that a class holds becomes a method: no longer the function.
            return assigned | self.union(self.of_bound(bound) - STARTS.keys() for bound in in_body)
        return set() if value == NOTHING else {public("%s.%s" % (value, name))}

    def of_call(self, callee, node):
        first = node.args[0] if node.args else None
        second = node.args[1] if len(node.args) > 1 else None
        if callee in YIELDS:
            return {YIELDS[callee]}
        if callee == "builtins.getattr" and isinstance(second, ast.Constant):
            found = self.union(self.of_attribute(value, str(second.value)) for value in self.of(first))
            return found | (self.of(node.args[2]) - {NOTHING} if len(node.args) > 2 else set())
        if callee == "functools.partial" and first is not None:
            return self.of(first)
        if callee == "typing.cast" and second is not None:
            return self.of(second)
        if isinstance(callee, str) and (callee.endswith(".import_module") or callee == "builtins.__import__"):
            return {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()
        by_name = callee is None and isinstance(node.func, ast.Attribute) and node.func.attr
        if by_name in ("enter_async_context", "enter_context") and first is not None:
            return self.of(first) & HANDED_ON_BY_WITH
        return set()

    def annotated(self, annotation, value):
        found = self.of(value) if value else set()
        return found if found - {NOTHING} else (self.of_annotation(annotation) or found or {NOTHING})

    def of_parameter(self, arg, default, inner):
        def mean():
            if inner.owner and inner.first == arg.arg:
                return {("self", inner.owner)}
            found = self.of_annotation(arg.annotation) if arg.annotation else set()
            return found or (self.of(default) - {NOTHING} if default else set())

        return mean

    def of_annotation(self, node, place=None):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                inner = ast.parse(node.value.strip(), mode="eval").body
            except (SyntaxError, ValueError):
                return set()
            # A quoted annotation is read when the whole file has run.
            for each in ast.walk(inner):
                if isinstance(each, ast.Name):
                    self.reader.place[each] = (self.reader.module, (), sys.maxsize)
            return self.of_annotation(inner)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.of_annotation(node.left) or self.of_annotation(node.right)
        if isinstance(node, ast.Subscript):
            head = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", None)
            inner = getattr(node.slice, "value", node.slice) if type(node.slice).__name__ == "Index" else node.slice
            return self.of_annotation(inner) if head == "Optional" else set()
        if isinstance(node, (ast.Name, ast.Attribute)):
            return {ANNOTATES[value] for value in self.of(node) if value in ANNOTATES}
        return set()


def decoded(raw):
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    text = raw.decode(encoding)
    return text[1:] if text.startswith("\ufeff") else text


def sites_of(path):
    with open(path, "rb") as file:
        raw = file.read()
    tree = ast.parse(raw, path)
    text = decoded(raw)
    if text.isascii() and not any(word in text for word in WORDS):
        return []
    lines = re.split("\r\n|\r|\n", text)
    reader = Reader(tree)
    found = []
    for call in reader.calls:
        apis = sorted(STARTS[value] for value in reader.meaning.of(call.func) if value in STARTS)
        if apis:
            line = lines[call.lineno - 1] if call.lineno <= len(lines) else ""
            column = len(line.encode("utf-8", "surrogatepass")[: call.col_offset].decode("utf-8", "replace"))
            found.append([call.lineno, column + 1, "|".join(apis)])
    return sorted(found)


def main():
    for path in sys.stdin.read().split("\n"):
        if not path:
            continue
        try:
            answer = {"file": path, "sites": sites_of(path)}
        except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError, OSError) as problem:
            answer = {"file": path, "error": "%s: %s" % (type(problem).__name__, str(problem)[:200])}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    # Expressions may be nested deeper than the usual stack bears.
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(60_000)
    threading.stack_size(512 * 1024 * 1024)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
