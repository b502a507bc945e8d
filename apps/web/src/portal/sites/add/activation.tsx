import { Button, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import classes from './narrow-page.module.css';
import {
  type ActivationInput,
  isInactive,
  type NewDevice,
  type Registered,
  requestActivation,
} from './registration.ts';

interface ActivationProps {
  readonly device: NewDevice;
  readonly onRegistered: (registered: Registered) => void;
  /** Checks for an activation by another person. */
  readonly onCheck: () => void;
  readonly isChecking: boolean;
}

/** Activates a device by a code at once, or requests its activation. */
export function Activation({ device, onRegistered, onCheck, isChecking }: ActivationProps) {
  const { t } = useTranslation('adding');
  const [input, setInput] = useState<ActivationInput>({ message: '', code: '' });
  const [isRequested, setRequested] = useState(false);
  const { submit, isPending, error } = useSubmit(
    (request: ActivationInput) => requestActivation(device, request),
    {
      onDone: (registered) => (registered === undefined ? setRequested(true) : onRegistered(registered)),
    },
  );
  // Only the code can be invalid.
  const isCodeWrong = input.code.trim() !== '' && isInactive(error);
  const code = useRef<HTMLInputElement>(null);
  // The next one that is typed takes the place of a wrong one.
  useEffect(() => {
    if (error === undefined || !isInactive(error)) return;
    code.current?.focus();
    code.current?.select();
  }, [error]);
  if (isRequested) {
    return (
      <Card title={t('activation.requestedTitle')}>
        <p className={classes.text} role="status">
          {t('activation.requested')}
        </p>
        <Button className={classes.send} variant="default" loading={isChecking} onClick={onCheck}>
          {t('activation.check')}
        </Button>
      </Card>
    );
  }
  return (
    <Card title={t('activation.title')}>
      <p className={classes.text} role="status">
        {t('activation.why')}
      </p>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(input);
        }}
      >
        {!isCodeWrong && <FormError error={error} />}
        <TextInput
          ref={code}
          label={t('activation.code')}
          autoFocus
          description={t('activation.codeHint')}
          autoComplete="off"
          spellCheck={false}
          value={input.code}
          error={isCodeWrong ? t('activation.codeWrong') : undefined}
          onChange={(event) => setInput({ ...input, code: event.currentTarget.value })}
        />
        <Textarea
          size="md"
          label={t('activation.message')}
          description={t('activation.messageHint')}
          maxLength={2000}
          rows={3}
          value={input.message}
          onChange={(event) => setInput({ ...input, message: event.currentTarget.value })}
        />
        <Button className={classes.send} type="submit" loading={isPending}>
          {t(input.code.trim() === '' ? 'activation.ask' : 'activation.useCode')}
        </Button>
      </form>
    </Card>
  );
}
