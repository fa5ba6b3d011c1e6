// Save texts of the server as files, or copy them to the clipboard.
import type { Export } from "../wire";

export function saveFile(file: Export): void {
  saveBlob(new Blob([file.text], { type: file.media }), file.name);
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A drawing of the server as a PNG file, `width` pixels wide. False if the browser cannot draw it. */
export async function savePng(source: string, name: string, width = 1200): Promise<boolean> {
  const image = new Image();
  image.src = source;
  try {
    await image.decode();
  } catch {
    return false;
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth) || width;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (png) saveBlob(png, name);
  return png !== null;
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
