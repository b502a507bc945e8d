import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearch } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { ClaimPanel } from '../claim/claim-panel.tsx';
import { ProbePanel } from '../probe/probe-panel.tsx';
import { SetupProgress } from './setup-progress.tsx';
import { pathAfter, type SetupStep, stepIn } from './steps.ts';
import { TimeStep } from './time-step.tsx';
import { useStepLabels } from './use-step-words.ts';

/** Leads through what a new device needs; every step may be skipped, and done at any time later. */
export function Page() {
  const { t } = useTranslation('configuration');
  const step = stepIn(useSearch());
  const [, navigate] = useLocation();
  const words = useStepLabels();
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
      <Card title={words[step]}>{contents[step]}</Card>
      <Group justify="flex-end">
        <Anchor component={Link} href={pathAfter(step)} py="sm">
          {step === 'claim' ? t('setup.finish') : t('setup.skip')}
        </Anchor>
      </Group>
    </Stack>
  );
}
