import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from './form-error.tsx';

interface FormFooterProps {
  readonly form: { readonly error: unknown; readonly isPending: boolean };
  /** Whether the form has all that it sends. Default: true. */
  readonly isReady?: boolean;
  readonly submitLabel: string;
  readonly onCancel: () => void;
}

/** The failure of a form, its submit button, and a button that leaves it. */
export function FormFooter({ form, isReady = true, submitLabel, onCancel }: FormFooterProps) {
  const { t } = useTranslation();
  return (
    <>
      <FormError error={form.error} />
      <Group gap="sm">
        <Button type="submit" loading={form.isPending} disabled={!isReady}>
          {submitLabel}
        </Button>
        <Button variant="default" disabled={form.isPending} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </>
  );
}
