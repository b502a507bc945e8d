import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../shared/components/dialog/confirm-dialog.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';

interface ConfirmedButtonProps extends Omit<ConfirmationProps, 'confirmLabel' | 'onClose'> {
  /** What the button says, on the page and in the dialog. */
  readonly label: string;
  /** What it says to those who do not see beside what it stands. */
  readonly description?: string;
}

/** A button that does something once it is confirmed. */
export function ConfirmedButton({ label, description, ...confirmation }: ConfirmedButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        aria-haspopup="dialog"
        {...(description !== undefined && { 'aria-label': description })}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {isAsking && <Confirmation {...confirmation} confirmLabel={label} onClose={() => setAsking(false)} />}
    </>
  );
}

interface ConfirmationProps {
  /** The question. */
  readonly title: string;
  /** What the button does that says yes. */
  readonly confirmLabel: string;
  readonly tone?: 'primary' | 'danger';
  /** What will happen. */
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
  /** Called when it is done, or given up. */
  readonly onClose: () => void;
}

/** Asks, does it once, and tells what went wrong. It is open for as long as it is there. */
function Confirmation(props: ConfirmationProps) {
  const { title, confirmLabel, tone = 'danger', children, act, onDone, onClose } = props;
  const { submit, isPending, error } = useSubmit(act, {
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={title}
      confirmLabel={confirmLabel}
      tone={tone}
      isPending={isPending}
      onConfirm={() => submit(undefined)}
      onCancel={onClose}
    >
      {children}
      <FormError error={error} />
    </ConfirmDialog>
  );
}
