import { lazy, type ReactNode, Suspense, useEffect } from 'react';

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** The effect, and whether it can be undone. */
  readonly children: ReactNode;
  /** Names what the button does: never just "OK". */
  readonly confirmLabel: string;
  /** `danger` for what takes something away. */
  readonly tone?: 'primary' | 'danger';
  /** While it is being carried out: the dialog stays, and nothing is sent twice. */
  readonly isPending?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Most visitors confirm nothing; they load none of it. */
const OpenedDialog = lazy(async () => {
  const { OpenedDialog: component } = await import('./opened-dialog.tsx');
  return { default: component };
});

/** Requires a confirmation. Traps the focus, and returns it. */
export function ConfirmDialog({ opened, ...props }: ConfirmDialogProps) {
  useReturnedFocus(opened);
  if (!opened) return null;
  return (
    <Suspense fallback={null}>
      <OpenedDialog {...props} />
    </Suspense>
  );
}

/** Mantine gives it back only from a dialog that was there, closed, before. */
function useReturnedFocus(opened: boolean): void {
  useEffect(() => {
    if (!opened) return undefined;
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [opened]);
}
