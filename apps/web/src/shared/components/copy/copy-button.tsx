import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface CopyButtonProps {
  readonly text: string;
  /** The label of the button: "Copy the token". */
  readonly label: string;
  /** Shows nothing but a picture, where a row has many things in it. */
  readonly isIcon?: boolean;
}

/** Copies a text to the clipboard, and shows whether that succeeded. */
export function CopyButton({ text, label, isIcon = false }: CopyButtonProps) {
  const { t } = useTranslation();
  const { outcome, copy } = useCopy(text);
  const message = outcome === undefined ? '' : outcome === 'copied' ? t('copy.copied') : t('copy.failed');
  const icon = <CopyIcon isDone={outcome === 'copied'} />;
  if (isIcon) {
    return (
      <ActionIcon variant="subtle" size={44} aria-label={label} title={message || label} onClick={copy}>
        {icon}
        <VisuallyHidden role="status">{message}</VisuallyHidden>
      </ActionIcon>
    );
  }
  return (
    <>
      <Button variant="default" leftSection={icon} onClick={copy}>
        {message || label}
      </Button>
      <VisuallyHidden role="status">{message}</VisuallyHidden>
    </>
  );
}

/**
 * Puts a text on the clipboard.
 *
 * @returns whether it is there now
 */
async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers have it on https and on localhost only; a device on the LAN is neither.
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, as in a frame or a window that lost the focus: the older way may still work.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

/** How long a button shows the outcome, in milliseconds. */
const SHOWN_FOR_MS = 3_000;

interface Copying {
  /** How the last attempt went, for a moment. */
  readonly outcome: 'copied' | 'failed' | undefined;
  readonly copy: () => void;
}

function useCopy(text: string): Copying {
  const [attempt, setAttempt] = useState<{ readonly succeeded: boolean }>();
  useEffect(() => {
    if (attempt === undefined) return undefined;
    const timer = setTimeout(() => setAttempt(undefined), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [attempt]);
  const copy = (): void => void copyText(text).then((succeeded) => setAttempt({ succeeded }));
  return { outcome: attempt && (attempt.succeeded ? 'copied' : 'failed'), copy };
}

/** Two sheets, or a tick when it is done. */
function CopyIcon({ isDone }: { readonly isDone: boolean }) {
  return (
    <svg
      width={18}
      height={18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path
        d={
          isDone
            ? 'M5 13l4.5 4.5L19 7'
            : 'M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1'
        }
      />
    </svg>
  );
}
