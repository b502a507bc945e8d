import type { DeviceClient } from '@heliograph/client';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { CopyButton } from '../../../../shared/components/copy/copy-button.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { DelegationsCard } from '../../../../shared/delegations/delegations-card.tsx';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { AuditLog } from '../../../../shared/log/audit-log.tsx';
import { WriteLog } from '../../../../shared/log/write-log.tsx';
import { ExportCard } from '../../../privacy/exports/export-card.tsx';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { aboutQuery, SITE_LISTS_KEY } from '../queries.ts';
import { browsingUrl } from '../reach/browsing-url.ts';
import { deviceUrl } from '../reach/device-url.ts';
import { OfflineHelp } from '../reach/offline-help.tsx';
import { useSite } from '../site-context.tsx';
import { useOnline } from '../site-state.tsx';
import classes from './device-tab.module.css';
import { batteryLabel, inverterLabel } from './hardware-labels.ts';
import { HistoryConsentCard } from './history-consent-card.tsx';
import { InstallationCard } from './installation-card.tsx';
import { MovingCard } from './moving-card.tsx';
import { DescriptionForm, RenameForm } from './naming-card.tsx';
import { ReplacementCard } from './replacement-card.tsx';
import { UpdatesCard } from './updates-card.tsx';

const configurationQuery = (siteId: number, device: DeviceClient) =>
  queryOptions({
    queryKey: ['site', siteId, 'configuration'],
    queryFn: ({ signal }) => device.configuration.get({ signal }),
  });

/** Delegations in the configuration of the site's device. */
function Delegations({ siteId, device }: { readonly siteId: number; readonly device: DeviceClient }) {
  const queries = useQueryClient();
  const query = configurationQuery(siteId, device);
  const { data } = useQuery(query);
  if (data === undefined) return null;
  const { keepDelegation, endDelegation } = device.configuration;
  return (
    <DelegationsCard
      delegations={data.delegations}
      onKeep={async (id) => queries.setQueryData(query.queryKey, await keepDelegation(id))}
      onEnd={async (id) => queries.setQueryData(query.queryKey, await endDelegation(id))}
    />
  );
}

/** The site's device, the site's name, and the log of changed settings. */
export function Page() {
  const { t } = useTranslation('sites');
  const { site, may, device } = useSite();
  const isOnline = useOnline();
  return (
    <Stack gap="1.25rem">
      {!isOnline && (
        <Card title={t('away.title')}>
          <OfflineHelp siteId={site.id} localAddress={site.local_ip} />
        </Card>
      )}
      <Card title={t('device.title')}>
        <DeviceFacts />
        <OpenPages />
      </Card>
      {may('configure') && isOnline && device !== undefined && (
        <Delegations siteId={site.id} device={device} />
      )}
      {may('manage') && (
        <Card title={t('naming.title')}>
          <RenameForm />
          <DescriptionForm />
        </Card>
      )}
      {may('manage') && <InstallationCard />}
      {may('configure') && <UpdatesCard />}
      <HistoryConsentCard />
      {may('connections') && <ExportCard siteId={site.id} />}
      {may('manage') && <MovingCard />}
      {may('own') && <ReplacementCard />}
      {may('own') && <ReleaseCard />}
      {may('write') && isOnline && device !== undefined && <WriteLog />}
      {may('configure') && isOnline && device !== undefined && <AuditLog />}
    </Stack>
  );
}

/** Facts about the device: from the cloud always, from the device itself while it is online. */
function DeviceFacts() {
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
    known('device.version', site.version),
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

/** The ways to the device's own pages: through its proxy from anywhere, and straight from its own network. */
function OpenPages() {
  const { t } = useTranslation('sites');
  const { site, may } = useSite();
  const isOnline = useOnline();
  const localUrl = deviceUrl(site.local_ip);
  const { submit, isPending, error } = useSubmit((url: string) => browse(site.id, url));
  return (
    <>
      <FormError error={error} />
      <Group gap="sm">
        {site.url !== null && (
          <Button
            variant="default"
            loading={isPending}
            disabled={!isOnline}
            onClick={() => site.url !== null && submit(site.url)}
          >
            {t('device.openPages')}
          </Button>
        )}
        {localUrl !== undefined && (
          <Button variant="default" component="a" href={localUrl} rel="noreferrer">
            {t('device.openLocal', { address: site.local_ip })}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t(site.url === null ? 'device.unnamedHint' : 'device.openHint')}
      </Text>
      {may('write') && <DiagnosticsHint localUrl={deviceUrl(site.local_ip, '/configuration/diagnostics')} />}
    </>
  );
}

/** The way to the page that makes the file for support. */
function DiagnosticsHint({ localUrl }: { readonly localUrl: string | undefined }) {
  const { t } = useTranslation('sites');
  return (
    <Text size="sm" c="dimmed">
      {t('device.diagnosticsHint')}{' '}
      {localUrl !== undefined && (
        <Anchor href={localUrl} rel="noreferrer" underline="always">
          {t('device.diagnosticsLink')}
        </Anchor>
      )}
    </Text>
  );
}

async function browse(siteId: number, url: string): Promise<void> {
  location.assign(browsingUrl(url, await cloud.authorizeSite({ id: siteId })));
}

/** Ends the site, after a confirmation of the consequences. */
function ReleaseCard() {
  const { t } = useTranslation('siteDevice');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { site } = useSite();
  return (
    <Card title={t('release.title')}>
      <Stack gap="md" align="start">
        <Text>{t('release.text')}</Text>
        <Text>{t('release.code')}</Text>
        <ConfirmedButton
          label={t('release.button')}
          title={t('release.confirm')}
          act={() => withFreshSignIn(() => cloud.releaseSite({ id: site.id }))}
          onDone={() => {
            navigate('/sites');
            void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
          }}
        >
          {t('release.text')} {t('release.code')}
        </ConfirmedButton>
      </Stack>
    </Card>
  );
}
