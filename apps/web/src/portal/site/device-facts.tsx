import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../shared/components/copy/copy-button.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import classes from './device-facts.module.css';
import { batteryLabel, inverterLabel } from './hardware-labels.ts';
import { useOnline } from './online.tsx';
import { aboutQuery } from './queries.ts';
import { useSite } from './site-context.tsx';

/** What is known of the device: of the cloud always, of the device itself while it is there. */
export function DeviceFacts() {
  const { t } = useTranslation('sites');
  const { date, dateTime } = useFormat();
  const { site, device } = useSite();
  const isOnline = useOnline();
  const { data: about } = useQuery({
    ...aboutQuery(site.id, device),
    enabled: isOnline && device !== undefined,
  });
  const facts: readonly (Fact | false)[] = [
    { name: t('device.inverter'), value: inverterLabel(site, t) || t('device.none') },
    { name: t('device.battery'), value: batteryLabel(site, t) || t('device.none') },
    known('device.board', site.board),
    known('device.arch', site.arch),
    known('device.version', about?.version),
    known('device.buildDate', site.build_date === null ? null : date(site.build_date)),
    { name: t('device.releases'), value: t(site.beta ? 'device.beta' : 'device.stable') },
    known('device.timeZone', about?.time_zone),
    known('device.proxy', site.proxy),
    known('device.lastSeen', site.last_seen_at === null ? null : dateTime(site.last_seen_at)),
    known('device.organization', site.organization?.name),
    about !== undefined && {
      name: t('device.uid'),
      value: (
        <span className={classes.uid}>
          <code>{about.uid}</code>
          <CopyButton isIcon text={about.uid} label={t('device.copyUid')} />
        </span>
      ),
    },
  ];
  return <Facts facts={facts.filter((fact) => fact !== false)} />;

  function known(name: FactName, value: string | null | undefined): Fact | false {
    return value !== null && value !== undefined && { name: t(name), value };
  }
}

type FactName =
  | 'device.board'
  | 'device.arch'
  | 'device.version'
  | 'device.buildDate'
  | 'device.timeZone'
  | 'device.proxy'
  | 'device.lastSeen'
  | 'device.organization';
