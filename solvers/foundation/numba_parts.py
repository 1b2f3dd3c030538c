"""Compiling with numba: what Python calls is optimised as a whole, and the rest only as part of it.

By itself numba optimises a function together with all that it calls, makes machine code of it and a
wrapper for Python, and then does all of that again for its callers. A function that compiled code
calls is a *part* here: it is translated for LLVM and no more. LLVM sees each part when it has a
whole before it, which is what Python calls; it then inlines and optimises once. That takes less
than half the time, and the code is the same or faster. Another sixth of it is saved by leaving out
those of numba's passes that do nothing to a kernel, and by remembering types it has worked out.

numba documents none of the classes used here; its version is pinned, and tests watch them.
"""

# numba's own functions carry no types.
# mypy: allow-untyped-calls

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numba as typed_numba
from numba.core import cgutils, typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

numba: Any = typed_numba


class _Whole(JITCodeLibrary):
    """What is optimised and run: a function with all its parts."""

    def finalize(self) -> None:
        self._linking_libraries = list(_with_parts_of_parts(self._linking_libraries))
        super().finalize()


class _Part(JITCodeLibrary):
    """What only a whole is made of; it is never run by itself."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> "_Part":
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: only a wrapper for Python has an environment."""


class _Linked(_Part):
    """A function with all its parts, handed out before LLVM optimises it."""

    def finalize(self) -> None:
        for part in _with_parts_of_parts(self._linking_libraries):
            self._final_module.link_in(part._get_module_for_linking(), preserve=True)
        super().finalize()


def _with_parts_of_parts(libraries: Iterable[Any]) -> Iterator[Any]:
    """Yield libraries, and those that parts among them need, each once."""
    found = set()
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library in found:
            continue
        found.add(library)
        library._ensure_finalized()
        yield library
        if isinstance(library, _Part):
            waiting += library._linking_libraries


@contextmanager
def _libraries_of(codegen: Any, kind: type) -> Iterator[None]:
    before = codegen._library_class
    codegen._library_class = kind
    try:
        yield
    finally:
        codegen._library_class = before


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Spare the collector's looks through all that numba has made: a seventh of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_PASSES_OF_KERNELS = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.InlineInlinables,
    untyped_passes.ReconstructSSA,
    untyped_passes.DeadBranchPrune,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class _PassesOfKernels(PassManager):
    """Runs those of numba's passes that do something to a kernel.

    The others are for closures, `with` and expressions of whole arrays, which a kernel does without
    (it fails to compile with one). numba's own `run` takes as long to write down each pass, for
    listeners that nobody has, as most passes take.
    """

    def run(self, state: Any) -> None:
        for each in _PASSES_OF_KERNELS:
            compiler_pass = each()
            compiler_pass.analysis = {each: None}  # only asked for whether it is there
            compiler_pass.run_pass(state)


class _PipelineOfWholes(Compiler):
    """Compiles what Python calls."""

    kind: type = _Whole

    def define_pipelines(self) -> list[Any]:
        if not self.state.flags.nrt:
            return [_PassesOfKernels("kernel")]
        for_all: list[Any] = super().define_pipelines()
        return for_all

    def compile_extra(self, function: Any) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = self.kind(codegen, function.__qualname__)
        self.state.library.enable_object_caching()
        with _libraries_of(codegen, _Part), _without_garbage_collection():
            return super().compile_extra(function)


class _PipelineOfLinked(_PipelineOfWholes):
    kind = _Linked


class _PipelineOfParts(_PipelineOfWholes):
    """Compiles what only compiled functions call."""

    kind = _Part


def compile_whole(function: Any, *, cache: bool, **options: Any) -> Any:
    """Return numba's dispatcher of a function that Python calls."""
    return numba.njit(cache=cache, pipeline_class=_PipelineOfWholes, **options)(function)


def compile_part(function: Any, **options: Any) -> Any:
    """Return numba's dispatcher of a function that compiled functions call."""
    made = numba.njit(no_cpython_wrapper=True, pipeline_class=_PipelineOfParts, **options)(function)
    return _for_types_alone(made)


def address_of(made: Any, values: Iterable[Any]) -> int:
    """Return where the machine code of a dispatcher for Python is, for arguments like these."""
    kinds = tuple([numba.typeof(each) for each in values])
    made.compile(kinds)
    compiled = made.overloads[kinds]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


@numba.extending.intrinsic
def call_at(
    typing_context: Any,  # noqa: ARG001
    address: Any,
    record: Any,
    number: Any,
) -> Any:
    """Call a kernel of a tuple and an integer, which returns an integer, by its address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        returned, (_, *kinds) = signature.return_type, signature.args
        convention = context.call_conv
        kind = convention.get_function_type(returned, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        status, result = convention.call_function(builder, function, returned, kinds, values[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return numba.int64(address, record, number), generate


def llvm_code(function: Callable[..., Any], signature: Any) -> str:
    """Return the LLVM code of a function in C's convention and of all its parts, not optimised."""
    made = numba.cfunc(signature, pipeline_class=_PipelineOfLinked)(function)
    return str(made.inspect_llvm())


def _for_types_alone(made: Any) -> Any:
    """Have numba compile a function for the types of its arguments, not again for each constant.

    Where it is inlined, LLVM sees the constants all the same. `get_call_template`, which compiled
    callers use, is not documented; without this override everything works, and the simulators take
    a fifth longer to compile.
    """
    unliteral = numba.core.types.unliteral
    template = made.get_call_template

    def for_kinds(values: Iterable[Any], named: dict[str, Any]) -> Any:
        kinds = {name: unliteral(each) for name, each in named.items()}
        return template([unliteral(each) for each in values], kinds)

    made.get_call_template = for_kinds
    return made


_call_types: dict[Any, Any] = {}
_work_out_call_type = numba.core.types.Function.get_call_type


def _remembered_call_type(
    function: Any, context: Any, arguments: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """Return the signature of one of numba's own functions for these types of arguments.

    numba works it out for each call: it tries every version there is, and words for each why it
    does not fit.
    """
    key = function, arguments, tuple(named.items()), ConfigStack.top_or_none()
    if key not in _call_types:
        signature = _work_out_call_type(function, context, arguments, named)
        _call_types[key] = signature, function._impl_keys[signature.args]
    signature, implementation = _call_types[key]
    function._impl_keys[signature.args] = implementation
    return signature


cpu_target.target_context.codegen()._library_class = _Whole
numba.core.types.Function.get_call_type = _remembered_call_type
