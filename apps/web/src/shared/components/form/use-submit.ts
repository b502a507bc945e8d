import { useEffect, useRef, useState } from 'react';
import { beginChange } from '../../browser/pending-changes.ts';
import type { FieldErrors } from '../../errors/error-message.ts';
import { fieldErrors } from '../../errors/fields.ts';
import { invalidInputs } from './invalid-inputs.ts';

interface SubmitOptions<R> {
  /** Called once it is done. */
  readonly onDone?: (result: R) => void;
}

interface Submit<T> {
  /** Sends, unless it is being sent already. */
  readonly submit: (input: T) => void;
  readonly isPending: boolean;
  /** The refused fields: the `error` of each input. */
  readonly fields: FieldErrors;
  /** The failure that belongs to no input on the page, for FormError; undefined when there is none. */
  readonly error: unknown;
  /** Forgets the last failure; does nothing while it sends. */
  readonly reset: () => void;
}

interface Attempt {
  readonly isPending: boolean;
  readonly form: HTMLFormElement | null;
  /** The focused element at the time of sending. */
  readonly pressed: HTMLElement | null;
  readonly failure: unknown;
}

const NOTHING_SENT: Attempt = { isPending: false, form: null, pressed: null, failure: undefined };

/**
 * Sends a form once, and reports its faults: at its inputs, the first of which gets the focus, or above all of them.
 *
 * @param send never called again automatically
 */
export function useSubmit<T, R>(
  send: (input: T) => Promise<R>,
  { onDone }: SubmitOptions<R> = {},
): Submit<T> {
  const [attempt, setAttempt] = useState(NOTHING_SENT);
  const [isPlaced, setPlaced] = useState(true);
  // A second press may come before the first one has rendered.
  const isSending = useRef(false);
  const fields = fieldErrors(attempt.failure);

  useEffect(() => {
    if (attempt.isPending) return;
    if (attempt.failure !== undefined) {
      const [first] = invalidInputs(attempt.form);
      setPlaced(first !== undefined);
      first?.focus();
    }
    // A button that waits is disabled, and browsers take the focus from it.
    if (document.activeElement === document.body) attempt.pressed?.focus();
  }, [attempt]);

  const submit = async (input: T): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    const pressed = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const form = pressed?.closest('form') ?? null;
    setAttempt({ isPending: true, form, pressed, failure: undefined });
    const end = beginChange();
    try {
      const result = await send(input);
      setAttempt({ ...NOTHING_SENT, pressed });
      onDone?.(result);
    } catch (failure) {
      setAttempt({ isPending: false, form, pressed, failure });
    } finally {
      isSending.current = false;
      end();
    }
  };

  const hasFields = Object.keys(fields).length > 0;
  return {
    submit: (input) => void submit(input),
    isPending: attempt.isPending,
    fields,
    error: hasFields && isPlaced ? undefined : attempt.failure,
    reset: () => {
      if (!isSending.current) setAttempt(NOTHING_SENT);
    },
  };
}
