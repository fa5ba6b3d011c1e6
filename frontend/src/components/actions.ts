// A command with its words, key and picture: buttons, menus and sheets show the same.
import type { IconName } from "./icons";

export interface Action {
  id: string;
  label: string;
  brief?: string; // the label where space is scarce
  icon: IconName;
  key?: string;
  isMain?: boolean;
  isDisabled?: boolean;
  run: () => unknown;
}

export function action(
  id: string,
  label: string,
  icon: IconName,
  run: () => unknown,
  more: Partial<Action> = {},
): Action {
  return { id, label, icon, run, ...more };
}
