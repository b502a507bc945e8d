import type { ProbeFinding, ProbeReport } from '@heliograph/client';
import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/components/states/empty.tsx';
import { useConfiguration } from '../configuration/configuration-query.ts';
import { SaveBar } from '../configuration/save-bar.tsx';
import { useSaveConfiguration } from '../configuration/use-save-configuration.ts';
import { isUsed, keyOf, withFound } from './found.ts';
import classes from './probe.module.css';

interface FindingsProps {
  readonly report: ProbeReport;
  readonly onUsed: () => void;
}

/** The found hardware, to be configured all at once or in part. */
export function Findings({ report, onUsed }: FindingsProps) {
  const { t } = useTranslation('configuration');
  const { connections } = useConfiguration();
  const { findings, notes, skipped } = report;
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { submit, isPending, error, fields, phase } = useSaveConfiguration({ onInEffect: onUsed });
  const fresh = findings.filter((finding) => !isUsed(finding, connections));
  const chosen = fresh.filter((finding) => !refused.includes(keyOf(finding)));
  const complaints = Object.values(fields);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit({ connections: withFound(connections, chosen) });
      }}
    >
      <Stack>
        {findings.length === 0 && <Empty title={t('probe.nothing')}>{t('probe.nothingHint')}</Empty>}
        <ul className={classes.findings}>
          {findings.map((finding) => {
            const key = keyOf(finding);
            const known = !fresh.includes(finding);
            return (
              <li key={key} className={classes.finding}>
                <Checkbox
                  label={<FindingDetails finding={finding} />}
                  description={known ? t('probe.known') : undefined}
                  checked={known || !refused.includes(key)}
                  disabled={known || isPending}
                  onChange={({ currentTarget }) =>
                    setRefused(
                      currentTarget.checked ? refused.filter((one) => one !== key) : [...refused, key],
                    )
                  }
                />
              </li>
            );
          })}
        </ul>
        {complaints.length > 0 && (
          <Text role="alert" c="var(--hg-danger)">
            {complaints.join(' ')}
          </Text>
        )}
        {fresh.length > 0 && (
          <SaveBar
            phase={phase}
            isPending={isPending}
            error={complaints.length > 0 ? undefined : error}
            isDisabled={chosen.length === 0}
            label={t('probe.use', { count: chosen.length })}
          />
        )}
        {(notes.length > 0 || skipped.length > 0) && (
          <ul className={classes.notes}>
            {skipped.map(({ bus, in_use_by: user }) => (
              <li key={bus}>{t('probe.skipped', { bus, user })}</li>
            ))}
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </Stack>
    </form>
  );
}

/** The hardware that answered, and its address. */
function FindingDetails({ finding: { title, bus, unit, units } }: { readonly finding: ProbeFinding }) {
  const { t } = useTranslation('configuration');
  const kinds = {
    inverters: t('probe.inverter'),
    batteries: t('probe.battery'),
    meters: t('probe.meter'),
    chargers: t('probe.charger'),
    generators: t('probe.generator'),
  };
  return (
    <>
      <Text fw={600}>{title}</Text>
      <Text size="sm">
        {units
          .map(({ kind, model, serial_number: serialNumber }) => {
            const named = [model, serialNumber].filter((name) => name !== null).join(', ');
            return named === '' ? kinds[kind] : `${kinds[kind]}: ${named}`;
          })
          .join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {bus}
        {unit !== null && ` · ${t('connections.unitIs', { unit })}`}
      </Text>
    </>
  );
}
