import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../shared/components/dialog/confirm-dialog.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';

interface ConfirmedButtonProps extends Omit<ConfirmationProps, 'confirmLabel' | 'onClose'> {
  /** The label of the button, on the page and in the dialog. */
  readonly label: string;
  /** The name of the button for screen readers, with its subject. */
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
  readonly confirmLabel: string;
  readonly tone?: 'primary' | 'danger';
  /** The consequences. */
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
  /** Called when it is done, or given up. */
  readonly onClose: () => void;
}

/** Asks for confirmation, acts once, and shows a failure. It is open for as long as it is mounted. */
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
