import { describe, expect, it } from "vitest";
import { htmlOf, moduleOf } from "../markdown";

describe("pages of the documentation", () => {
  it("lead to each other, and nowhere else", () => {
    const html = htmlOf("[the table](table.md) and [there](table.md#x), not [this](../connect4.md)");
    expect(html).toContain(
      '<a href="/docs/lab/table">the table</a> and <a href="/docs/lab/table">there</a>, not this',
    );
  });

  it("import their pictures", () => {
    const module = moduleOf("![a](img/tree.svg)");
    expect(module).toContain('import picture0 from "./img/tree.svg?url";');
    expect(module).toContain("@@0@@");
  });
});
