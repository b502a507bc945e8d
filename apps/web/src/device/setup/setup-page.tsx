import { Anchor, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearch } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { ClaimPanel } from '../claim/claim-panel.tsx';
import { claimQuery } from '../claim/claim-query.ts';
import { useConfiguration } from '../configuration/configuration-query.ts';
import { SettingsForm } from '../configuration/settings-form.tsx';
import { TimeZoneField } from '../configuration/time-zone-field.tsx';
import { proposedZone } from '../configuration/time-zones.ts';
import { linksQuery } from '../links/links-query.ts';
import { ProbePanel } from '../probe/probe-panel.tsx';
import classes from './setup.module.css';
import { pathAfter, pathOf, SETUP_STEPS, type SetupStep, stepIn } from './steps.ts';

/** Leads through what a new device needs; every step may be skipped, and done at any time later. */
export function Page() {
  const { t } = useTranslation('configuration');
  const step = stepIn(useSearch());
  const [, navigate] = useLocation();
  const labels = useStepLabels();
  const goOn = (): void => navigate(pathAfter(step));
  const contents: Readonly<Record<SetupStep, ReactNode>> = {
    hardware: (
      <>
        <ProbePanel onUsed={goOn} />
        <Text size="sm">
          <Anchor component={Link} href="/configuration">
            {t('setup.byHand')}
          </Anchor>
        </Text>
      </>
    ),
    time: <TimeStep onDone={goOn} />,
    claim: <ClaimPanel />,
  };
  return (
    <Stack gap="lg" maw="44rem">
      <PageTitle text={t('setup.title')} />
      <SetupProgress current={step} />
      <Card title={labels[step]}>{contents[step]}</Card>
      <Group justify="flex-end">
        <Anchor component={Link} href={pathAfter(step)} py="sm">
          {step === 'claim' ? t('setup.finish') : t('setup.skip')}
        </Anchor>
      </Group>
    </Stack>
  );
}

function useStepLabels(): Readonly<Record<SetupStep, string>> {
  const { t } = useTranslation('configuration');
  return { hardware: t('setup.hardware'), time: t('setup.time'), claim: t('setup.claim') };
}

/** The time zone, in which days and weeks of energy begin. */
function TimeStep({ onDone }: { readonly onDone: () => void }) {
  const { time_zone: configured, machine_time_zone: machineZone } = useConfiguration();
  const [zone, setZone] = useState(configured ?? proposedZone(machineZone));
  return (
    <SettingsForm change={() => ({ time_zone: zone })} onInEffect={onDone}>
      {(fields) => (
        <TimeZoneField value={zone} machineZone={machineZone} error={fields.time_zone} onChange={setZone} />
      )}
    </SettingsForm>
  );
}

function useDoneSteps(): Readonly<Record<SetupStep, boolean>> {
  const { time_zone: zone } = useConfiguration();
  const { data: links } = useQuery(linksQuery);
  const { data: claim } = useQuery(claimQuery);
  return {
    hardware: links !== undefined && links.connections.length > 0,
    time: zone !== null,
    claim: claim?.state === 'claimed',
  };
}

/** The steps of the setup, with the current one marked, and those that are done. */
function SetupProgress({ current }: { readonly current: SetupStep }) {
  const { t } = useTranslation('configuration');
  const labels = useStepLabels();
  const done = useDoneSteps();
  return (
    <nav aria-label={t('setup.steps')}>
      <ol className={classes.steps}>
        {SETUP_STEPS.map((step, at) => (
          <li key={step}>
            <Link
              className={classes.step}
              href={pathOf(step)}
              aria-current={step === current ? 'step' : undefined}
            >
              <span className={classes.number} data-done={done[step] || undefined} aria-hidden="true">
                {done[step] ? '✓' : at + 1}
              </span>
              {labels[step]}
              {done[step] && <VisuallyHidden>{t('setup.done')}</VisuallyHidden>}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
