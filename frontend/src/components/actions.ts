// A command with its label, key and icon: the same in buttons, menus and sheets.
import type { IconName } from "./icons";

export interface Action {
  id: string;
  label: string;
  brief?: string; // the label if there is little space
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
