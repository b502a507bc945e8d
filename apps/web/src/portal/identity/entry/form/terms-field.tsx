import { Anchor, Checkbox } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { lazyPart } from '../../../../shared/routing/lazy-part.ts';
import type { LegalName } from './legal-dialog.tsx';

/** Most visitors read none of it. */
const LegalDialog = lazyPart(async () => (await import('./legal-dialog.tsx')).LegalDialog);

/** Accepts the terms, which can be read first. Its value is the field `accepted_terms` of the form. */
export function TermsField({ error }: { readonly error: string | undefined }) {
  const { t } = useTranslation('entry');
  const [reading, setReading] = useState<LegalName>();
  const open = (name: LegalName) => (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      underline="always"
      onClick={() => setReading(name)}
    />
  );
  return (
    <>
      <Checkbox
        name="accepted_terms"
        size="md"
        error={error}
        aria-invalid={error !== undefined || undefined}
        label={
          <Trans
            t={t}
            i18nKey="terms.accept"
            components={{ terms: open('terms'), privacy: open('privacy') }}
          />
        }
      />
      {reading !== undefined && (
        <Suspense fallback={null}>
          <LegalDialog name={reading} onClose={() => setReading(undefined)} />
        </Suspense>
      )}
    </>
  );
}
