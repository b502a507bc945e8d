import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import classes from './energy.module.css';
import { EnergyBar } from './energy-bar.tsx';
import { EnergyShare } from './energy-share.tsx';
import { type EnergyTotals, selfConsumption, selfSufficiency } from './totals.ts';

interface EnergyBalanceProps extends EnergyTotals {
  readonly title: string;
}

/** Where the energy of a time came from and where it went, and how much of it was the home's own. */
export function EnergyBalance({ title, ...totals }: EnergyBalanceProps) {
  const { t } = useTranslation('site');
  const { solar, load, gridIn, gridOut, batteryIn, batteryOut } = totals;
  const cameFrom = [
    { name: t('energy.fromSolar'), tone: 'solar', kwh: solar },
    { name: t('energy.fromBattery'), tone: 'battery', kwh: batteryOut },
    { name: t('energy.fromGrid'), tone: 'grid', kwh: gridIn },
  ] as const;
  const wentTo = [
    { name: t('energy.toLoad'), tone: 'load', kwh: load },
    { name: t('energy.toBattery'), tone: 'battery', kwh: batteryIn },
    { name: t('energy.toGrid'), tone: 'grid', kwh: gridOut },
  ] as const;
  const sums = [cameFrom, wentTo].map((parts) => parts.reduce((sum, { kwh }) => sum + (kwh ?? 0), 0));
  const isNothing = [...cameFrom, ...wentTo].every(({ kwh }) => kwh === undefined || kwh === null);
  return (
    <Card title={title}>
      {isNothing ? (
        <Text c="dimmed">{t('energy.none')}</Text>
      ) : (
        <>
          <div className={classes.bars}>
            <EnergyBar title={t('energy.cameFrom')} parts={cameFrom} wholeKwh={Math.max(...sums)} />
            <EnergyBar title={t('energy.wentTo')} parts={wentTo} wholeKwh={Math.max(...sums)} />
          </div>
          <div className={classes.shares}>
            <EnergyShare
              label={t('energy.selfSufficiency')}
              part={selfSufficiency(totals)}
              hint={t('energy.selfSufficiencyHint')}
            />
            <EnergyShare
              label={t('energy.ownUse')}
              part={selfConsumption(totals)}
              hint={t('energy.ownUseHint')}
            />
          </div>
        </>
      )}
    </Card>
  );
}
