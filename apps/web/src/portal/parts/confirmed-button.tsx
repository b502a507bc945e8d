import { Button } from '@mantine/core';
import { useState } from 'react';
import { Confirmation, type ConfirmationProps } from './confirmation.tsx';

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
