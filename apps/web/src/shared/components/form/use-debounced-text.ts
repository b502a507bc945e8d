import { useEffect, useEffectEvent, useState } from 'react';

/** How long typing has to pause, in milliseconds. */
const PAUSE_MS = 250;

interface DebouncedText {
  /** What is in the input. */
  readonly text: string;
  readonly type: (text: string) => void;
  /** Replaces the text, and tells at once. */
  readonly flush: (text: string) => void;
}

/** What is typed shows at once, and is told when typing pauses. What comes from outside replaces it. */
export function useDebouncedText(value: string, onChange: (value: string) => void): DebouncedText {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [told, setTold] = useState(value);

  if (value !== seen) {
    setSeen(value);
    // Not what was told from here, which may come back while somebody types on: the back button, for one.
    if (value !== told) {
      setTold(value);
      setText(value);
    }
  }

  const tell = (next: string): void => {
    setTold(next);
    if (next !== value) onChange(next);
  };
  const tellLater = useEffectEvent(tell);
  useEffect(() => {
    if (text === told) return undefined;
    const timer = setTimeout(() => tellLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, told]);

  const flush = (next: string): void => {
    setText(next);
    tell(next);
  };
  return { text, type: setText, flush };
}
