"""Checkers endgame tables: `Tablebase` looks up positions, `Material` names a table, `build_table` makes one."""

from outplay.tablebase.build import Report, TableJob, build_table, plan, verify_table
from outplay.tablebase.endgames import open_endgames
from outplay.tablebase.files import TableCount, TableInfo, read_info, shipped_folder, table_path, tables_folder
from outplay.tablebase.material import Material, materials, needs, tables
from outplay.tablebase.tablebase import NO_VALUE, Tablebase, Value, Verdict, Verdicts

__all__ = [
    "NO_VALUE",
    "Material",
    "Report",
    "TableCount",
    "TableInfo",
    "TableJob",
    "Tablebase",
    "Value",
    "Verdict",
    "Verdicts",
    "build_table",
    "materials",
    "needs",
    "open_endgames",
    "plan",
    "read_info",
    "shipped_folder",
    "table_path",
    "tables",
    "tables_folder",
    "verify_table",
]
