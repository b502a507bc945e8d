import { useCallback, useState } from 'react';
import { useUnsentInput } from '../browser/unsent-input.ts';

export type PutDraft = (topic: string, text: string | undefined) => void;

interface Drafts {
  /** Values that were typed or chosen and not applied yet, as the controls have them, by topic. */
  readonly drafts: ReadonlyMap<string, string>;
  /** Undefined takes a draft away. */
  readonly put: PutDraft;
  readonly clear: () => void;
}

/** Changes of settings that are collected until they are reviewed and applied together. */
export function useDrafts(): Drafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map());
  const put = useCallback(
    (topic: string, text: string | undefined) =>
      setDrafts((before) => {
        if (before.get(topic) === text) return before;
        const next = new Map(before);
        if (text === undefined) next.delete(topic);
        else next.set(topic, text);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setDrafts(new Map()), []);
  useUnsentInput(drafts.size > 0);
  return { drafts, put, clear };
}
