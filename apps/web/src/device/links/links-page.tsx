import type { HardwareLink, MqttLink, UplinkLink } from '@heliograph/client';
import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import classes from './links.module.css';
import { watchedLinksQuery } from './links-query.ts';
import { useUnitLabel } from './use-unit-label.ts';

/** The state of every connection of the device. */
export function Page() {
  const { t } = useTranslation('configuration');
  const links = useQuery(watchedLinksQuery);
  return (
    <Stack gap="lg">
      <PageTitle text={t('links.title')} />
      {links.error !== null && <Failure error={links.error} onRetry={() => void links.refetch()} />}
      {links.data === undefined && links.error === null && <Loading />}
      {links.data?.connections.length === 0 && (
        <Empty title={t('connections.none')}>
          <Text>{t('connections.noneHint')}</Text>
          <Anchor component={Link} href="/probe">
            {t('connections.find')}
          </Anchor>
        </Empty>
      )}
      {links.data?.connections.map((link) => (
        <HardwareLinkCard key={`${link.driver} ${link.bus} ${link.unit}`} link={link} />
      ))}
      {links.data !== undefined && <UplinkCard uplink={links.data.uplink} />}
      {links.data !== undefined && <MqttLinkCard mqtt={links.data.mqtt} />}
    </Stack>
  );
}

interface LinkStateProps {
  readonly tone: 'good' | 'waiting' | 'bad';
  readonly label: string;
  /** ISO 8601; null where it is not known. */
  readonly since: string | null;
}

/** The state of a connection: a label, and a sign of its own for each tone. */
function LinkState({ tone, label, since }: LinkStateProps) {
  const { t } = useTranslation('configuration');
  const format = useFormat();
  return (
    <p className={classes.state} data-tone={tone}>
      <span className={classes.sign} aria-hidden="true">
        {{ good: '✓', waiting: '…', bad: '!' }[tone]}
      </span>
      <span>
        {label}
        {since !== null && (
          <span className={classes.since} title={format.dateTime(since)}>
            {` ${t('links.since', { time: format.dateTime(since) })}`}
          </span>
        )}
      </span>
    </p>
  );
}

/** How the device is reached from outside. @param uplink null where no cloud is configured */
function UplinkCard({ uplink }: { readonly uplink: UplinkLink | null }) {
  const { t } = useTranslation('configuration');
  const states = {
    offline: { tone: 'bad', label: t('links.uplinkOffline') },
    connecting: { tone: 'waiting', label: t('links.uplinkConnecting') },
    online: { tone: 'good', label: t('links.uplinkOnline') },
  } as const;
  return (
    <Card title={t('links.uplink')}>
      {uplink === null ? (
        <Text c="dimmed">{t('links.noUplink')}</Text>
      ) : (
        <>
          <LinkState {...states[uplink.state]} since={uplink.since} />
          {uplink.reason !== null && <Text>{t('links.reason', { reason: uplink.reason })}</Text>}
          {uplink.proxy !== null && <Text c="dimmed">{t('links.proxy', { proxy: uplink.proxy })}</Text>}
        </>
      )}
    </Card>
  );
}

/** How the broker of the home is reached. @param mqtt null where none is configured */
function MqttLinkCard({ mqtt }: { readonly mqtt: MqttLink | null }) {
  const { t } = useTranslation('configuration');
  const states = {
    connecting: { tone: 'waiting', label: t('links.mqttConnecting') },
    connected: { tone: 'good', label: t('links.mqttConnected') },
    failing: { tone: 'bad', label: t('links.mqttFailing') },
  } as const;
  return (
    <Card title={t('mqtt.title')}>
      {mqtt === null ? (
        <Text c="dimmed">{t('links.noMqtt')}</Text>
      ) : (
        <>
          <LinkState {...states[mqtt.state]} since={mqtt.since} />
          {mqtt.reason !== null && <Text>{t('links.reason', { reason: mqtt.reason })}</Text>}
        </>
      )}
    </Card>
  );
}

/** Below this share of answers the cable needs attention, in percent. */
const LOW_PERCENT = 90;

/** How many polls of the last minute were answered. @param percent null before the first */
function QualityBar({ percent }: { readonly percent: number | null }) {
  const { t } = useTranslation('configuration');
  const format = useFormat();
  if (percent === null) return <p className={classes.address}>{t('links.noQuality')}</p>;
  const label = t('links.quality', { percent: format.number(percent) });
  return (
    <div className={classes.quality}>
      <span>{label}</span>
      <div className={classes.track} aria-hidden="true">
        <div
          className={classes.filled}
          data-is-low={percent < LOW_PERCENT}
          style={{ width: `${percent}%` }}
        />
      </div>
      {percent < LOW_PERCENT && <span>{t('links.lowQuality')}</span>}
    </div>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A line of a list of facts, which is a `dl`. */
function Fact({ name, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The state and the counters of a connection to an inverter or a battery. */
function HardwareLinkCard({ link }: { readonly link: HardwareLink }) {
  const { t } = useTranslation('configuration');
  const format = useFormat();
  const unitLabel = useUnitLabel();
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
      {link.unknown_totals.length > 0 && (
        <Text>{t('links.unknownTotals', { totals: link.unknown_totals.join(', ') })}</Text>
      )}
      <QualityBar percent={link.quality_percent} />
      {link.closes_after_answers && <Text size="sm">{t('links.closesAfterAnswers')}</Text>}
      {units.length > 0 && (
        <ul className={classes.units}>
          {units.map((unit) => (
            <li key={unit.topic_prefix}>
              <Text fw={600}>{unitLabel(unit)}</Text>
              <Text size="sm" className={classes.address ?? ''}>
                {[
                  unit.model,
                  unit.serial_number && t('links.serial', { number: unit.serial_number }),
                  unit.firmware_version && t('links.firmware', { version: unit.firmware_version }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              {unit.same_as !== null && <Text size="sm">{t('links.sameAs', { unit: unit.same_as })}</Text>}
              {unit.unknown_totals.length > 0 && (
                <Text size="sm">{t('links.unknownTotals', { totals: unit.unknown_totals.join(', ') })}</Text>
              )}
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
        <Fact name={t('links.withheld')}>{format.number(link.withheld_values)}</Fact>
      </dl>
      {link.doubtful.map(({ name, value, unit }) => (
        <Text key={name} size="sm">
          {t('links.doubtful', { name, value: `${format.number(value)} ${unit}`.trim() })}
        </Text>
      ))}
    </Card>
  );
}
