// Save texts of the server as files, or copy them to the clipboard.
import type { Export } from "../wire";

export function saveFile(file: Export): void {
  const url = URL.createObjectURL(new Blob([file.text], { type: file.media }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** False if there is no clipboard or it is blocked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
