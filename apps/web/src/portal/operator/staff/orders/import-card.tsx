import { ApiError } from '@heliograph/client';
import type { CatalogueChanges } from '@heliograph/contracts';
import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { queries } from '../../../../shared/queries/query-client.ts';
import { portal } from '../../../session/portal.ts';
import { sessionQuery } from '../../../session/session.ts';
import { Announcement } from '../../../ui/announcement.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { productsKey } from '../queries.ts';
import classes from '../staff.module.css';

/** The service's limit, in bytes. */
const MAX_SIZE = 1024 * 1024;

/** The example of the form, which the reader replaces. */
const EXAMPLE = `products:
  - sku: licence_year
    name: Licence for a year
    kind: licence
    licence: { devices: 1, months: 12 }
    prices: { USD: 60, EUR: 55 }`;

interface ImportCardProps {
  readonly organizationId: number | null;
}

/** Makes the catalogue that of a file, once the reader has seen the changes. */
export function ImportCard({ organizationId }: ImportCardProps) {
  const { t } = useTranslation('staff');
  const [text, setText] = useState('');
  const [isTooLarge, setTooLarge] = useState(false);
  const [preview, setPreview] = useState<CatalogueChanges>();
  const [isImported, setImported] = useState(false);
  const seller = organizationId === null ? {} : { organization_id: organizationId };
  const file = () => new Blob([text], { type: 'application/yaml' });
  const previewing = useSubmit(() => portal.previewCatalogue({ ...seller, file: file() }), {
    onDone: setPreview,
  });
  const importing = useSubmit(() => portal.importCatalogue({ ...seller, file: file() }), {
    onDone: () => {
      setImported(true);
      setPreview(undefined);
      void queries.invalidateQueries({ queryKey: productsKey });
      void queries.invalidateQueries(sessionQuery);
    },
  });
  const change = (next: string): void => {
    setText(next);
    setTooLarge(new Blob([next]).size > MAX_SIZE);
    setPreview(undefined);
    setImported(false);
  };
  const error = importing.error ?? previewing.error;
  return (
    <Card title={t('catalogue.import')}>
      <Stack gap="md">
        <Text c="dimmed">{t('catalogue.text')}</Text>
        <Group gap="sm">
          <FileButton
            accept=".yaml,.yml,application/yaml,text/plain"
            onChange={(chosen) => void read(chosen, change)}
          >
            {(props) => (
              <Button {...props} variant="default">
                {t('catalogue.file')}
              </Button>
            )}
          </FileButton>
        </Group>
        <Textarea
          size="md"
          label={t('catalogue.yaml')}
          placeholder={EXAMPLE}
          autosize
          minRows={8}
          maxRows={20}
          spellCheck={false}
          classNames={{ input: classes.yaml ?? '' }}
          value={text}
          error={isTooLarge && t('catalogue.tooLarge')}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Mistakes error={error} />
        {preview !== undefined && (
          <Announcement>
            <Preview changes={preview} />
          </Announcement>
        )}
        <Group gap="sm">
          {preview === undefined ? (
            <Button
              disabled={text.trim() === '' || isTooLarge}
              loading={previewing.isPending}
              onClick={() => previewing.submit(undefined)}
            >
              {t('catalogue.preview')}
            </Button>
          ) : (
            <Button
              disabled={isEmpty(preview)}
              loading={importing.isPending}
              onClick={() => importing.submit(undefined)}
            >
              {t('catalogue.submit')}
            </Button>
          )}
          <Text role="status">{isImported && t('catalogue.imported')}</Text>
        </Group>
      </Stack>
    </Card>
  );
}

async function read(chosen: File | null, change: (text: string) => void): Promise<void> {
  if (chosen !== null) change(await chosen.text());
}

/** Each mistake of the file with its place. */
function Mistakes({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('staff');
  const mistakes = error instanceof ApiError ? error.fields.file : undefined;
  if (mistakes === undefined) return <FormError error={error} />;
  return (
    <Alert color="red" variant="light" role="alert" title={t('catalogue.mistakes')}>
      <ul className={classes.mistakes}>
        {mistakes.map((mistake) => (
          <li key={mistake}>{mistake}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Preview({ changes }: { readonly changes: CatalogueChanges }) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  if (isEmpty(changes)) return <Text>{t('catalogue.nothing')}</Text>;
  const { created, changed, archived, unchanged, terms_changed: hasTerms } = changes;
  const listed = (name: string, skus: readonly string[]): Fact | false =>
    skus.length > 0 && { name: `${name} (${format.number(skus.length)})`, value: skus.join(', ') };
  const facts = [
    listed(t('catalogue.created'), created),
    listed(t('catalogue.changed'), changed),
    listed(t('catalogue.archived'), archived),
    unchanged.length > 0 && { name: t('catalogue.unchanged'), value: format.number(unchanged.length) },
    hasTerms && { name: t('catalogue.terms'), value: t('catalogue.termsChange') },
  ];
  return (
    <section aria-label={t('catalogue.changes')}>
      <Facts facts={facts.filter((fact) => fact !== false)} />
    </section>
  );
}

function isEmpty({ created, changed, archived, terms_changed: hasTerms }: CatalogueChanges): boolean {
  return created.length + changed.length + archived.length === 0 && !hasTerms;
}
