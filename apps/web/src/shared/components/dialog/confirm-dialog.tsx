import { lazy, type ReactNode, Suspense } from 'react';

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, and that it cannot be undone where that is so. */
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

/** Asks before something is done. Traps the focus, and gives it back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  if (!props.opened) return null;
  return (
    <Suspense fallback={null}>
      <OpenedDialog {...props} />
    </Suspense>
  );
}
