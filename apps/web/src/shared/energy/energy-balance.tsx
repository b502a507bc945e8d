import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { DASH, quantityText } from '../format/amounts.ts';
import { type Tone, toneStyle } from '../format/tone.ts';
import { useFormat } from '../format/use-format.ts';
import classes from './energy-balance.module.css';
import { type EnergyTotals, selfConsumption, selfSufficiency } from './totals.ts';

interface EnergyBalanceProps extends EnergyTotals {
  readonly title: string;
  /** Shares that were counted moment by moment, from 0 to 1; left out, they follow from the sums. */
  readonly shares?: { readonly sufficiency: number | null; readonly consumption: number | null };
}

/** The sources and uses of the energy of a period, and its shares of self-supply. */
export function EnergyBalance({ title, shares, ...totals }: EnergyBalanceProps) {
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
              part={shares === undefined ? selfSufficiency(totals) : shares.sufficiency}
              hint={t('energy.selfSufficiencyHint')}
            />
            <EnergyShare
              label={t('energy.ownUse')}
              part={shares === undefined ? selfConsumption(totals) : shares.consumption}
              hint={t('energy.ownUseHint')}
            />
          </div>
        </>
      )}
    </Card>
  );
}

interface EnergyShareProps {
  readonly label: string;
  /** From 0 to 1; null where it is unknown. */
  readonly part: number | null;
  readonly hint: string;
}

/** A part of an energy as a ring and a percentage. An unknown one is left out: a dash would look like a fault. */
function EnergyShare({ label, part, hint }: EnergyShareProps) {
  const format = useFormat();
  if (part === null) return null;
  const percent = Math.round(part * 100);
  return (
    <div className={classes.share}>
      <svg className={classes.ring} viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="16" pathLength="100" />
        <circle
          cx="20"
          cy="20"
          r="16"
          pathLength="100"
          className={classes.arc}
          strokeDasharray={`${percent} 100`}
        />
      </svg>
      <dl className={classes.facts}>
        <dt>{label}</dt>
        <dd className={classes.percent} translate="no">
          {format.number(percent)} %
        </dd>
        <dd className={classes.hint}>{hint}</dd>
      </dl>
    </div>
  );
}

interface EnergyPart {
  readonly name: string;
  readonly tone: Tone;
  /** Null is unknown, undefined what the site does not have. */
  readonly kwh: number | null | undefined;
}

interface EnergyBarProps {
  readonly title: string;
  readonly parts: readonly EnergyPart[];
  /** The energy that the full width stands for. */
  readonly wholeKwh: number;
}

/** Parts of an energy beside each other in one bar, and in figures below it. */
function EnergyBar({ title, parts, wholeKwh }: EnergyBarProps) {
  const format = useFormat();
  const there = parts.filter(({ kwh }) => kwh !== undefined);
  return (
    <div className={classes.block}>
      <h3 className={classes.title}>{title}</h3>
      <div className={classes.bar} aria-hidden="true">
        {wholeKwh > 0 &&
          there.map(({ name, tone, kwh }) => (
            <div
              key={name}
              className={classes.part}
              style={{ ...toneStyle(tone), width: `${((kwh ?? 0) / wholeKwh) * 100}%` }}
            />
          ))}
      </div>
      <dl className={classes.figures}>
        {there.map(({ name, tone, kwh }) => (
          <div key={name} className={classes.figure} style={toneStyle(tone)}>
            <dt>{name}</dt>
            <dd translate="no">{typeof kwh === 'number' ? quantityText(format.energy(kwh)) : DASH}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
