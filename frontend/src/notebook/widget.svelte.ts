// The widget of notebooks (anywidget): mounts the app's own board in a shadow root, so that no style leaks either way.
import { mount, unmount } from "svelte";
import boards from "../styles/boards.css?inline";
import tokens from "../styles/tokens.css?inline";
import type { Frame, Message } from "./frame";
import NotebookBoard from "./NotebookBoard.svelte";
import own from "./notebook.css?inline";

interface Model {
  get(name: "frame"): Frame;
  on(event: "change:frame", call: () => void): void;
  off(event: "change:frame", call: () => void): void;
  send(message: Message): void;
}

/** The app's sheets speak of the whole page; here they mean the widget. */
export function scoped(sheet: string): string {
  return sheet.replace(/:root(\[[^\]]*\])/g, ":host($1)").replaceAll(":root", ":host");
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const root = el.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = [tokens, boards, own].map(scoped).join("\n");
  root.append(style);
  const props = $state({ frame: model.get("frame"), send: (message: Message) => model.send(message) });
  const changed = (): void => {
    props.frame = model.get("frame");
  };
  model.on("change:frame", changed);
  const board = mount(NotebookBoard, { target: root, props });
  return () => {
    model.off("change:frame", changed);
    void unmount(board);
  };
}

export default { render };
