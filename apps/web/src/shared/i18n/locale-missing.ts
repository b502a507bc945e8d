type Listener = () => void;

const listeners = new Set<Listener>();
let isMissing = false;

/** Whether the language that was chosen last could not be loaded: every language switch shows it. */
export const localeMissing = {
  get: (): boolean => isMissing,
  set(value: boolean): void {
    if (isMissing === value) return;
    isMissing = value;
    for (const listener of listeners) listener();
  },
  /** @returns what ends the subscription */
  subscribe(listener: Listener): Listener {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
