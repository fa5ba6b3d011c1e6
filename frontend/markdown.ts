// Pages of the documentation as HTML, made when the front end is built: no Markdown reader goes to the browser.
import { Marked } from "marked";
import type { Plugin } from "vite";

export function markdown(): Plugin {
  return {
    name: "markdown",
    transform(code, id) {
      return id.endsWith(".md") ? { code: moduleOf(code), map: null } : null;
    },
  };
}

/** A module whose default export is the page; its pictures are imported, so that they get addresses of their own. */
export function moduleOf(text: string): string {
  const pictures: string[] = [];
  const html = htmlOf(text).replace(/src="(img\/[\w.-]+)"/g, (_, path: string) => {
    pictures.push(path);
    return `src="@@${pictures.length - 1}@@"`;
  });
  const imports = pictures.map((path, i) => `import picture${i} from "./${path}?url";`);
  const names = pictures.map((_, i) => `picture${i}`);
  return [
    ...imports,
    `const pictures = [${names.join(", ")}];`,
    `export default ${JSON.stringify(html)}.replace(/@@(\\d+)@@/g, (_, i) => pictures[i]);`,
  ].join("\n");
}

/** Links to pages beside this one lead to ours; those to others are left out, their words stay. */
export function htmlOf(text: string): string {
  const html = new Marked({ async: false }).parse(text) as string;
  return html
    .replace(/<a href="([a-z-]+)\.md(?:#[\w-]*)?">/g, '<a href="/docs/lab/$1">')
    .replace(/<a href="\.\.\/[^"]*">(.*?)<\/a>/g, "$1")
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<table>", '<div class="scrollx" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0" role="group" aria-label="Example">');
}
