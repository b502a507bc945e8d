import { useEffect, useRef, useState } from 'react';

/** How long typing has to pause, in milliseconds. */
const PAUSE_MS = 250;

interface DebouncedText {
  /** What is in the input. */
  readonly text: string;
  readonly type: (text: string) => void;
  /** Tells at once. */
  readonly flush: (text: string) => void;
}

/** What is typed shows at once, and is told when typing pauses. What comes from outside replaces it. */
export function useDebouncedText(value: string, onChange: (value: string) => void): DebouncedText {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  // The back button, for one, changes a value that an address holds.
  if (value !== told) {
    setTold(value);
    setText(value);
  }

  const flush = (next: string): void => {
    clearTimeout(timer.current);
    setText(next);
    setTold(next);
    if (next !== value) onChange(next);
  };
  const type = (next: string): void => {
    clearTimeout(timer.current);
    setText(next);
    timer.current = setTimeout(() => flush(next), PAUSE_MS);
  };
  return { text, type, flush };
}
