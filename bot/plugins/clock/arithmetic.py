"""Sums as people write them, evaluated without ever running them as a program.

Numbers are decimals of 64 digits, so 0.1 + 0.2 is 0.3 and nothing can grow without bound: a number
beyond 10 to the 9999th is refused before any time is spent on it.
"""

import ast
import decimal
import math
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

MAX_CHARS = 500
MAX_DEPTH = 60
_DIGITS = 64
_MAX_EXPONENT = 9_999
_SHOWN_DIGITS = 15
"""Digits of a rounded result; more would only show how it was rounded."""

_SPELLINGS = str.maketrans(
    {
        "\u00d7": "*",
        "\u00b7": "*",
        "\u00f7": "/",
        "\u2212": "-",
        "\u2013": "-",
        "^": "**",
        "\n": " ",
        "\t": " ",
    }
)
_PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*%\s*of\b", re.IGNORECASE)
_PERCENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?|\.\d+)%(?=\s*(?:[-+*/),]|$))")
_ALLOWED = re.compile(r"[\w\s.,+\-*/%()]*", re.ASCII)


class ArithmeticProblem(ValueError):
    """The expression can't be worked out; the text says why and what to write instead."""


@dataclass(frozen=True)
class Calculation:
    """A calculation: the expression as understood, the result, and whether it was rounded."""

    expression: str
    result: str
    rounded: bool


def work_out(text: str) -> Calculation:
    """Evaluate an expression.

    Raises ArithmeticProblem; never takes longer than some milliseconds.
    """
    expression = _as_python(text)
    context = decimal.Context(
        prec=_DIGITS,
        Emax=_MAX_EXPONENT,
        Emin=-_MAX_EXPONENT,
        traps=[decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow],
    )
    try:
        with decimal.localcontext(context) as active:
            value = _Evaluator(expression, active).value(_parse(expression), 0)
            if not value.is_finite():
                raise decimal.InvalidOperation
            return Calculation(expression, *_shown(value, active))
    except decimal.DivisionByZero:
        raise ArithmeticProblem("this divides by zero") from None
    except decimal.Overflow:
        raise ArithmeticProblem(
            f"a number on the way is larger than 10 ** {_MAX_EXPONENT}"
        ) from None
    except decimal.InvalidOperation:
        raise ArithmeticProblem(
            "a step has no result among the real numbers (root or log of a negative number, 0 / 0),"
            f" or a remainder needs more than {_DIGITS} digits"
        ) from None


def _as_python(text: str) -> str:
    expression = text.strip().rstrip("=").translate(_SPELLINGS).strip()
    if not expression:
        raise ArithmeticProblem("the expression is empty; write something like (19.90 + 4) * 3")
    if len(expression) > MAX_CHARS:
        raise ArithmeticProblem(
            f"the expression has {len(expression)} characters, the limit is {MAX_CHARS}; split it"
        )
    expression = _PERCENT.sub(r"(\1/100)", _PERCENT_OF.sub(r"(\1/100) *", expression))
    allowed = _ALLOWED.match(expression)
    if allowed is None or allowed.end() < len(expression):
        strange = expression[allowed.end() if allowed else 0]
        raise ArithmeticProblem(
            f"{strange!r} can't be part of a sum; write numbers, + - * / // % ** and parentheses"
        )
    return expression


def _parse(expression: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = (
            f" near character {error.offset}"
            if isinstance(error, SyntaxError) and error.offset
            else ""
        )
        raise ArithmeticProblem(
            f"{expression!r} is not a sum{where}; check operators and parentheses"
        ) from None


# --- functions ---


def _by_float(function: Callable[[float], float]) -> Callable[[Decimal], Decimal]:
    """Trigonometry uses floats: 15 digits are enough for it."""

    def run(number: Decimal) -> Decimal:
        try:
            result = function(float(number))
        except (ValueError, OverflowError):
            raise decimal.InvalidOperation from None
        decimal.getcontext().flags[decimal.Inexact] = True
        return +Decimal(repr(result))

    return run


def _log(number: Decimal, base: Decimal | None = None) -> Decimal:
    return number.ln() if base is None else _exact_log(number, base)


def _exact_log(number: Decimal, base: Decimal) -> Decimal:
    if base == 10:
        return number.log10()
    flags = decimal.getcontext().flags
    before = flags[decimal.Inexact]
    result = number.ln() / base.ln()
    whole = result.to_integral_value()
    if abs(whole) < _MAX_EXPONENT and base**whole == number:
        flags[decimal.Inexact] = before
        return whole
    return result


def _round(number: Decimal, digits: Decimal = Decimal(0)) -> Decimal:
    """Round halves away from zero, as people do."""
    if digits != digits.to_integral_value() or abs(digits) > _DIGITS:
        raise ArithmeticProblem(f"round takes a whole number of digits up to {_DIGITS}")
    places = int(digits)
    if number == 0 or number.adjusted() + places >= _DIGITS - 1:
        return number
    flags = decimal.getcontext().flags
    before = flags[decimal.Inexact]
    result = number.quantize(Decimal(1).scaleb(-places), rounding=decimal.ROUND_HALF_UP)
    flags[decimal.Inexact] = before  # rounding that was asked for makes no result inexact
    return result


def _floor(number: Decimal) -> Decimal:
    return number.to_integral_value(decimal.ROUND_FLOOR)


def _ceil(number: Decimal) -> Decimal:
    return number.to_integral_value(decimal.ROUND_CEILING)


def _log2(number: Decimal) -> Decimal:
    return _exact_log(number, Decimal(2))


def _factorial(number: Decimal) -> Decimal:
    if number != number.to_integral_value() or not 0 <= number <= 3_000:
        raise ArithmeticProblem("factorial takes a whole number from 0 to 3000")
    return +Decimal(math.factorial(int(number)))


def _sum(*numbers: Decimal) -> Decimal:
    return sum(numbers, Decimal(0))


def _mean(*numbers: Decimal) -> Decimal:
    return _sum(*numbers) / len(numbers)


@dataclass(frozen=True)
class _Function:
    run: Callable[..., Decimal]
    least: int = 1
    most: int = 1


_MANY = 200
_FUNCTIONS: Mapping[str, _Function] = {
    "sqrt": _Function(Decimal.sqrt),
    "abs": _Function(Decimal.copy_abs),
    "round": _Function(_round, 1, 2),
    "floor": _Function(_floor),
    "ceil": _Function(_ceil),
    "min": _Function(min, 1, _MANY),
    "max": _Function(max, 1, _MANY),
    "sum": _Function(_sum, 1, _MANY),
    "mean": _Function(_mean, 1, _MANY),
    "exp": _Function(Decimal.exp),
    "ln": _Function(Decimal.ln),
    "log": _Function(_log, 1, 2),
    "log10": _Function(Decimal.log10),
    "log2": _Function(_log2),
    "sin": _Function(_by_float(math.sin)),
    "cos": _Function(_by_float(math.cos)),
    "tan": _Function(_by_float(math.tan)),
    "asin": _Function(_by_float(math.asin)),
    "acos": _Function(_by_float(math.acos)),
    "atan": _Function(_by_float(math.atan)),
    "degrees": _Function(_by_float(math.degrees)),
    "radians": _Function(_by_float(math.radians)),
    "factorial": _Function(_factorial),
}
_CONSTANTS: Mapping[str, Decimal] = {
    "pi": Decimal("3.141592653589793238462643383279502884197169399375105820974944592"),
    "e": Decimal("2.718281828459045235360287471352662497757247093699959574966967628"),
    "tau": Decimal("6.283185307179586476925286766559005768394338798750211641949889185"),
}


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if base == 0 and exponent < 0:
        raise decimal.DivisionByZero
    return Decimal(1) if exponent == 0 else base**exponent


def _floor_divide(left: Decimal, right: Decimal) -> tuple[Decimal, Decimal]:
    """The quotient, rounded towards minus infinity, and a remainder with the divisor's sign."""
    if right == 0:
        raise decimal.DivisionByZero
    quotient, rest = divmod(left, right)
    return (quotient - 1, rest + right) if rest and (rest < 0) != (right < 0) else (quotient, rest)


_BINARY: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: _floor_divide(left, right)[0],
    ast.Mod: lambda left, right: _floor_divide(left, right)[1],
    ast.Pow: _power,
}


@dataclass(frozen=True)
class _Evaluator:
    expression: str
    context: decimal.Context

    def value(self, node: ast.expr, depth: int) -> Decimal:
        if depth > MAX_DEPTH:
            raise ArithmeticProblem("the expression is nested too deeply; split it")
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.Name(id=name):
                return self._constant(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand, depth + 1)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand, depth + 1)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _BINARY:
                return _BINARY[type(operator)](
                    self.value(left, depth + 1), self.value(right, depth + 1)
                )
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, arguments, depth + 1)
            case ast.Tuple():
                raise ArithmeticProblem(
                    "write numbers without separators (1000, not 1,000) and one sum at a time"
                )
            case _:
                part = ast.get_source_segment(self.expression, node) or self.expression
                raise ArithmeticProblem(f"{part!r} is not arithmetic")

    def _number(self, node: ast.Constant) -> Decimal:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise ArithmeticProblem(f"{node.value!r} is not a number")
        if isinstance(node.value, int):
            return +Decimal(node.value)
        # From the text, not from the float: 0.1 is meant to be a tenth.
        written = ast.get_source_segment(self.expression, node) or repr(node.value)
        return self.context.create_decimal(written.replace("_", ""))

    def _constant(self, name: str) -> Decimal:
        if name not in _CONSTANTS:
            raise ArithmeticProblem(
                f"{name!r} is unknown; there are {', '.join(_CONSTANTS)}, and numbers"
            )
        self.context.flags[decimal.Inexact] = True
        return _CONSTANTS[name]

    def _call(self, name: str, arguments: list[ast.expr], depth: int) -> Decimal:
        function = _FUNCTIONS.get(name)
        if function is None:
            raise ArithmeticProblem(
                f"there is no function {name!r}; there are {', '.join(_FUNCTIONS)}"
            )
        if not function.least <= len(arguments) <= function.most:
            counts = sorted({function.least, function.most})
            wanted = " to ".join(str(count) for count in counts)
            raise ArithmeticProblem(f"{name} takes {wanted} numbers, not {len(arguments)}")
        return function.run(*(self.value(argument, depth) for argument in arguments))


# --- results ---


def _shown(value: Decimal, context: decimal.Context) -> tuple[str, bool]:
    """The result as text and whether it is rounded.

    Whole numbers are written out when they fit the digits.
    """
    rounded = bool(context.flags[decimal.Inexact])
    if rounded:
        value = value.normalize(
            decimal.Context(prec=_SHOWN_DIGITS, Emax=_MAX_EXPONENT, Emin=-_MAX_EXPONENT)
        )
    if value == 0:
        return "0", rounded
    exponent = value.adjusted()
    if -7 <= exponent < (_SHOWN_DIGITS + 3 if rounded else _DIGITS):
        plain = f"{value:f}"
        return (plain.rstrip("0").rstrip(".") if "." in plain else plain), rounded
    mantissa, _, power = f"{value.normalize(context):e}".partition("e")
    return f"{mantissa}e{int(power)}", rounded
