"""The plain tables of tests/data: comments that name the source, a line of column names, then the rows."""

from tests.support import DATA


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of tests/data/`name`, each as column name -> text; empty where no number was published."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    header, *rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [dict(zip(header, row, strict=True)) for row in rows]
