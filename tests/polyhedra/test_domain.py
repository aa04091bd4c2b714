import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.polyhedra.domain_text import load_polyhedron, parse_domain


def test_names_and_boxes() -> None:
    assert parse_domain("R", 3) == LinearSystem(3)
    assert parse_domain("orthant", 2) == LinearSystem.orthant(2)
    assert parse_domain("box:-1,1/2", 2) == LinearSystem.box([(-1, "1/2")] * 2)
    assert parse_domain("box:0,1;-0.5,2", 2) == LinearSystem.box([(0, 1), ("-1/2", 2)])


@pytest.mark.parametrize(
    "text",
    ["box:", "box:1", "box:1,2,3", "box:0,1;0,1;0,1", "box:0,x", "box:0,nan", "r", "", "orthant2"],
)
def test_bad_domains(text: str) -> None:
    with pytest.raises(InputError):
        parse_domain(text, 2)


def write(tmp_path, rows: str, more: str = ""):
    path = tmp_path / "p.json"
    path.write_text(f'{{"format": "exactrelu-polyhedron/1", "inequalities": [{rows}]{more}}}')
    return path


def test_files(tmp_path) -> None:
    path = write(
        tmp_path,
        '{"normal": ["1/2", 3], "offset": "-0.25"},'
        ' {"normal": [0, 1], "offset": 0, "strict": true}',
        ', "equations": [{"normal": [1, 1], "offset": 0}]',
    )
    system = load_polyhedron(path)
    assert [row.sense for row in system.rows] == [Sense.AT_LEAST, Sense.GREATER, Sense.EQUAL]
    assert system.rows[0].normal == (fmpq(1, 2), 3)
    assert system.rows[0].offset == fmpq(-1, 4)
    assert parse_domain(str(path), 2) == system
    with pytest.raises(InputError, match="in 2 variables, expected 3"):
        parse_domain(str(path), 3)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "no rows"),
        ('{"normal": [1]}', "'offset' is missing"),
        ('{"normal": [0.5], "offset": 0}', r"inequalities\[0\].normal\[0\]: found the JSON float"),
        ('{"normal": [1], "offset": NaN}', r"offset: found NaN"),
        ('{"normal": [1], "offset": 0, "sign": 1}', "unknown key 'sign'"),
        ('{"normal": [1], "offset": 0, "strict": 1}', "true or false"),
        (
            '{"normal": [1], "offset": 0}, {"normal": [1, 2], "offset": 0}',
            "row 2 has 2 coefficients",
        ),
        ("5", "expected an object"),
    ],
)
def test_bad_files(tmp_path, rows: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_polyhedron(write(tmp_path, rows))
    assert str(caught.value).startswith(str(tmp_path))
