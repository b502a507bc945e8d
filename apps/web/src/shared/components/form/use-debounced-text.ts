import { useEffect, useEffectEvent, useState } from 'react';

/** How long typing has to pause, in milliseconds. */
const PAUSE_MS = 250;

interface DebouncedText {
  readonly text: string;
  readonly type: (text: string) => void;
  /** Replaces the text, and reports it at once. */
  readonly flush: (text: string) => void;
}

/** Typing shows at once, and is reported when it pauses. A value from outside replaces the text. */
export function useDebouncedText(value: string, onChange: (value: string) => void): DebouncedText {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [reported, setReported] = useState(value);

  if (value !== seen) {
    setSeen(value);
    // A value reported from here may come back while typing goes on, as with the back button: it replaces nothing.
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }

  const report = (next: string): void => {
    setReported(next);
    if (next !== value) onChange(next);
  };
  const reportLater = useEffectEvent(report);
  useEffect(() => {
    if (text === reported) return undefined;
    const timer = setTimeout(() => reportLater(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, reported]);

  const flush = (next: string): void => {
    setText(next);
    report(next);
  };
  return { text, type: setText, flush };
}
