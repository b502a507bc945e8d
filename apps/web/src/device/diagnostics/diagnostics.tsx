import { fetchDiagnostics } from '@heliograph/client';
import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { strFromU8, unzipSync } from 'fflate';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../shared/browser/save-file.ts';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { BackToConfiguration } from '../configuration/back-link.tsx';
import { device } from '../session/device.ts';

/** Makes a diagnostic bundle, shows what is in it, and saves it. */
export function Page() {
  const { t } = useTranslation('configuration');
  const [frames, setFrames] = useState(false);
  const [bundle, setBundle] = useState<Bundle>();
  const { submit, isPending, error } = useSubmit(
    async () => await readBundle(await fetchDiagnostics(device, { frames })),
    { onDone: setBundle },
  );
  return (
    <Stack gap="lg" maw="48rem">
      <BackToConfiguration />
      <PageTitle text={t('diagnostics.title')} />
      <Text c="dimmed">{t('diagnostics.why')}</Text>
      <Card title={t('diagnostics.make')}>
        <Text>{t('diagnostics.nothingSent')}</Text>
        <Checkbox
          label={t('diagnostics.frames')}
          description={t('diagnostics.framesWhy')}
          checked={frames}
          onChange={({ currentTarget }) => setFrames(currentTarget.checked)}
        />
        <FormError error={error} />
        <Button
          variant={bundle === undefined ? 'filled' : 'default'}
          style={{ alignSelf: 'flex-start' }}
          loading={isPending}
          onClick={() => submit(undefined)}
        >
          {t(bundle === undefined ? 'diagnostics.make' : 'diagnostics.again')}
        </Button>
      </Card>
      <div role="status">{bundle !== undefined && <BundleCard key={bundle.file.name} bundle={bundle} />}</div>
    </Stack>
  );
}

function BundleCard({ bundle: { file, texts, leftOut } }: { readonly bundle: Bundle }) {
  const { t } = useTranslation('configuration');
  return (
    <Card title={t('diagnostics.files')}>
      <Text>{t('diagnostics.filesWhy')}</Text>
      <div>
        {texts.map((each) => (
          <TextOfFile key={each.name} {...each} />
        ))}
      </div>
      {leftOut.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('diagnostics.leftOut', { names: leftOut.join(', ') })}
        </Text>
      )}
      <Button style={{ alignSelf: 'flex-start' }} onClick={() => saveFile(file.name, file)}>
        {t('diagnostics.save')}
      </Button>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Text>
    </Card>
  );
}

const TEXT_STYLE = {
  maxHeight: '60vh',
  margin: '0 0 1rem',
  overflow: 'auto',
  fontSize: '0.8rem',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
} as const;

/** A file of the bundle; its text is rendered once it is opened, which may be megabytes. */
function TextOfFile({ name, text, size }: BundleText) {
  const { t } = useTranslation('configuration');
  const { number } = useFormat();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      style={{ borderTop: '1px solid var(--hg-line)' }}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary style={{ paddingBlock: '0.6rem', cursor: 'pointer' }}>
        <code>{name}</code> <span>{t('diagnostics.size', { size: number(Math.ceil(size / 1000)) })}</span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
        <pre style={TEXT_STYLE} tabIndex={0}>
          {text}
        </pre>
      )}
    </details>
  );
}

/** A file of a diagnostic bundle. */
interface BundleText {
  readonly name: string;
  readonly text: string;
  /** In bytes. */
  readonly size: number;
}

interface Bundle {
  readonly file: File;
  readonly texts: readonly BundleText[];
  /** Names of files that are not in it. */
  readonly leftOut: readonly string[];
}

/** Unpacks a bundle, to be looked at. */
async function readBundle(file: File): Promise<Bundle> {
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()));
  const texts = Object.entries(files).map(([name, bytes]) => ({
    name,
    text: strFromU8(bytes),
    size: bytes.length,
  }));
  const manifest = JSON.parse(texts.find(({ name }) => name === 'manifest.json')?.text ?? '{}');
  const { left_out: leftOut = [] } = manifest as { left_out?: readonly { readonly name: string }[] };
  return { file, texts, leftOut: leftOut.map(({ name }) => name) };
}
