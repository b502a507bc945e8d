import type { HardwareLink } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { Fact } from './fact.tsx';
import { LinkState } from './link-state.tsx';
import classes from './links.module.css';
import { QualityBar } from './quality-bar.tsx';
import { useUnitLabel } from './use-unit-words.ts';

/** How a connection to an inverter or a battery does. */
export function HardwareLinkCard({ link }: { readonly link: HardwareLink }) {
  const { t } = useTranslation('configuration');
  const format = useFormat();
  const unitWords = useUnitLabel();
  const { state, since, error, units } = link;
  const states = {
    waiting: { tone: 'waiting', label: t('links.waiting') },
    connected: { tone: 'good', label: t('links.connected') },
    failing: { tone: 'bad', label: t('links.failing') },
  } as const;
  const milliseconds = (value: number | null): string =>
    value === null ? '—' : `${format.number(Math.round(value))} ms`;
  return (
    <Card title={link.title}>
      <LinkState {...states[state]} since={since} />
      {error !== null && <Text>{t('links.reason', { reason: error })}</Text>}
      <QualityBar percent={link.quality_percent} />
      {units.length > 0 && (
        <ul className={classes.units}>
          {units.map((unit) => (
            <li key={unit.topic_prefix}>
              <Text fw={600}>{unitWords(unit)}</Text>
              <Text size="sm" className={classes.address ?? ''}>
                {[
                  unit.model,
                  unit.serial_number && t('links.serial', { number: unit.serial_number }),
                  unit.firmware_version && t('links.firmware', { version: unit.firmware_version }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </li>
          ))}
        </ul>
      )}
      <dl className={classes.facts}>
        <Fact name={t('links.address')}>{link.bus}</Fact>
        {link.unit !== null && <Fact name={t('connections.unit')}>{link.unit}</Fact>}
        <Fact name={t('links.lastRead')}>
          {link.last_read_at === null ? '—' : format.dateTime(link.last_read_at)}
        </Fact>
        <Fact name={t('links.pollTime')}>{milliseconds(link.poll_ms)}</Fact>
        <Fact name={t('links.roundTrip')}>{milliseconds(link.round_trip_ms)}</Fact>
        <Fact name={t('links.requests')}>{format.number(link.requests)}</Fact>
        <Fact name={t('links.unanswered')}>{format.number(link.unanswered)}</Fact>
        <Fact name={t('links.dropped')}>{format.number(link.dropped_frames)}</Fact>
      </dl>
    </Card>
  );
}
