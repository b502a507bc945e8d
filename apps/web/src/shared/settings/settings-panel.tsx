import type { MetricDefinition } from '@heliograph/client';
import { groupBy } from '@heliograph/kit/group-by';
import { SETTING_GROUPS, type SettingGroup, settingGroupOf, settingSlots } from '@heliograph/metrics';
import { Alert, Button, Stack } from '@mantine/core';
import { memo, type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { SearchField } from '../components/form/search-field.tsx';
import { Empty } from '../components/states/empty.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useDefinitions, useLive, useLiveStatus, useLiveValue } from '../live/live-context.tsx';
import { byDevice, hasUnits, matchesSearch } from '../metrics/grouping.ts';
import { MetricsUnavailable } from '../metrics/metrics-unavailable.tsx';
import { type Change, changesOf, controlId } from './changes.ts';
import { decimalOf } from './numbers.ts';
import { type PresetDraft, Presets } from './presets.tsx';
import { ReviewChanges } from './review-changes.tsx';
import { SettingControl } from './setting-control.tsx';
import classes from './settings-panel.module.css';
import { SlotTable } from './slot-table.tsx';
import { type PutDraft, useDrafts } from './use-drafts.ts';
import { useSettingNames } from './use-setting-names.ts';
import { useSettingWrites } from './use-setting-writes.ts';
import type { WriteState } from './write-state.ts';

interface SettingsPanelProps {
  /** Without it values are shown without controls. */
  readonly mayWrite: boolean;
  /** The path of the log of writes, for a change whose outcome is unknown. */
  readonly logPath?: string;
}

/** Fewer settings are seen at a glance. */
const MIN_TO_JUMP = 12;

/** All settings of the hardware, by unit and subject. Changes are collected, reviewed together, and then sent once each. */
export function SettingsPanel({ mayWrite, logPath }: SettingsPanelProps) {
  const { t, i18n } = useTranslation('settings');
  const heading = useDeviceLabel();
  const { values } = useLive();
  const definitions = useDefinitions();
  const { state } = useLiveStatus();
  const { drafts, put, clear } = useDrafts();
  const { states, isSending, apply, forget } = useSettingWrites((topic) => put(topic, undefined));
  const [search, setSearch] = useState('');
  const [reviewed, setReviewed] = useState<readonly Change[]>();
  const [isChecked, setChecked] = useState(false);

  const { nameOf } = useSettingNames();

  const settings = definitions.filter(({ group }) => group === 'Settings');
  const isOffline = state !== 'live';
  const review = (wanted: ReadonlyMap<string, string> = drafts): void => {
    if (isSending || isOffline) return;
    const { changes, invalid } = changesOf(
      settings,
      wanted,
      (topic) => values.get(topic)?.value ?? null,
      decimalOf(i18n.language),
    );
    setChecked(invalid !== undefined);
    if (invalid !== undefined) document.getElementById(controlId(invalid.topic))?.focus();
    else if (changes.length > 0) setReviewed(changes);
  };
  const applyPreset = (preset: readonly PresetDraft[]): void => {
    for (const { definition, text } of preset) put(definition.topic, text);
    review(new Map([...drafts, ...preset.map(({ definition, text }) => [definition.topic, text] as const)]));
  };
  // Rows are rendered again for a change of their own alone.
  const latestReview = useRef(review);
  latestReview.current = review;
  const requestReview = useCallback(() => latestReview.current(), []);

  if (!hasUnits(definitions)) return <MetricsUnavailable />;
  if (settings.length === 0) return <Empty title={t('none')}>{t('noneHint')}</Empty>;

  const isFound = (definition: MetricDefinition): boolean =>
    matchesSearch(
      definition,
      search,
      `${heading(definition.device, definition.number)} ${nameOf(definition.name)}`,
    );
  const units = byDevice(settings);
  const setting = (definition: MetricDefinition, isCompact = false): ReactNode => (
    <LiveSetting
      {...{ definition, mayWrite, isOffline, isChecked, isCompact, logPath }}
      draft={drafts.get(definition.topic)}
      write={states.get(definition.topic)}
      onDraft={put}
      onReview={requestReview}
    />
  );
  return (
    <Stack gap="1.25rem">
      {!mayWrite && <Alert color="blue">{t('mayNot')}</Alert>}
      {mayWrite && isOffline && (
        <Alert color="orange" role="status">
          {t('offline')}
        </Alert>
      )}
      <div className={classes.search}>
        <SearchField label={t('search')} value={search} onChange={setSearch} />
      </div>
      {!settings.some(isFound) && <Empty title={t('nothingFound', { search })} />}
      {settings.length >= MIN_TO_JUMP && search === '' && <JumpList units={units} />}
      {units.map((unit) => (
        // A draft that was not sent survives a search for another setting.
        <div key={unit.key} hidden={!unit.definitions.some(isFound)}>
          <Card title={heading(unit.device, unit.number)}>
            {mayWrite && search === '' && (
              <Presets
                definitions={unit.definitions}
                isDisabled={isOffline || isSending}
                onPreset={applyPreset}
              />
            )}
            {sectionsOf(unit.definitions).map((section) => (
              <UnitSection key={section.group} unitKey={unit.key} {...{ section, isFound, setting }} />
            ))}
          </Card>
        </div>
      ))}
      {mayWrite && drafts.size > 0 && (
        <section className={classes.bar} aria-label={t('review.title')}>
          <Button variant="default" disabled={isSending} onClick={clear}>
            {t('review.discardAll')}
          </Button>
          <Button disabled={isOffline} loading={isSending} onClick={() => review()}>
            {t('review.open', { number: drafts.size })}
          </Button>
        </section>
      )}
      <ReviewChanges
        changes={reviewed}
        onApply={(changes) => {
          setReviewed(undefined);
          for (const { definition } of changes) forget(definition.topic);
          apply(changes);
        }}
        onCancel={() => setReviewed(undefined)}
      />
    </Stack>
  );
}

type Unit = ReturnType<typeof byDevice>[number];

interface Section {
  readonly group: SettingGroup;
  readonly definitions: readonly MetricDefinition[];
}

/** The settings of a unit by their subjects, in the order of the subjects. */
function sectionsOf(definitions: readonly MetricDefinition[]): readonly Section[] {
  const slots = settingSlots(definitions.map(({ name }) => name));
  const groups = groupBy(definitions, ({ name }) => (slots.has(name) ? 'schedule' : settingGroupOf(name)));
  return SETTING_GROUPS.flatMap((group) => {
    const members = groups.get(group);
    return members === undefined ? [] : [{ group, definitions: members }];
  });
}

function sectionId(unitKey: string, group: SettingGroup): string {
  return `settings-${unitKey.replaceAll(' ', '-')}-${group}`;
}

/** Leads to each subject of each unit. */
function JumpList({ units }: { readonly units: readonly Unit[] }) {
  const { t } = useTranslation('settings');
  const heading = useDeviceLabel();
  return (
    <nav className={classes.jump} aria-label={t('review.sections')}>
      {units.flatMap((unit) =>
        sectionsOf(unit.definitions).map(({ group }) => (
          <a key={`${unit.key} ${group}`} href={`#${sectionId(unit.key, group)}`}>
            {units.length > 1 && `${heading(unit.device, unit.number)}: `}
            {t(`groups.${group}`)}
          </a>
        )),
      )}
    </nav>
  );
}

interface UnitSectionProps {
  readonly unitKey: string;
  readonly section: Section;
  readonly isFound: (definition: MetricDefinition) => boolean;
  readonly setting: (definition: MetricDefinition, isCompact?: boolean) => ReactNode;
}

/** A subject: its slots as tables, everything else as a list. */
function UnitSection({ unitKey, section: { group, definitions }, isFound, setting }: UnitSectionProps) {
  const { t } = useTranslation('settings');
  const slots = settingSlots(definitions.map(({ name }) => name));
  const tables = groupBy(
    definitions.flatMap((definition) => {
      const slot = slots.get(definition.name);
      return slot === undefined ? [] : [{ definition, slot }];
    }),
    ({ slot }) => slot.table,
  );
  return (
    <section
      className={classes.section}
      id={sectionId(unitKey, group)}
      aria-label={t(`groups.${group}`)}
      hidden={!definitions.some(isFound)}
    >
      <h3>{t(`groups.${group}`)}</h3>
      <ul className={classes.list}>
        {definitions
          .filter(({ name }) => !slots.has(name))
          .map((definition) => (
            <li key={definition.topic} hidden={!isFound(definition)}>
              {setting(definition)}
            </li>
          ))}
      </ul>
      {[...tables].map(([title, cells]) => (
        <SlotTable key={title} title={title || t(`groups.${group}`)} isTitled={title !== ''} cells={cells}>
          {(definition) => setting(definition, true)}
        </SlotTable>
      ))}
    </section>
  );
}

interface LiveSettingProps {
  readonly definition: MetricDefinition;
  readonly mayWrite: boolean;
  readonly draft: string | undefined;
  readonly write: WriteState | undefined;
  readonly isOffline: boolean;
  readonly isChecked: boolean;
  readonly isCompact: boolean;
  readonly logPath: string | undefined;
  readonly onDraft: PutDraft;
  readonly onReview: () => void;
}

/** A setting with its value as it comes; the others stay as they are when it changes. */
const LiveSetting = memo(function LiveSetting({ definition, onDraft, ...state }: LiveSettingProps) {
  const { topic } = definition;
  const live = useLiveValue(topic);
  const put = useCallback((text: string | undefined) => onDraft(topic, text), [onDraft, topic]);
  return (
    <SettingControl
      {...state}
      definition={definition}
      value={live?.value ?? null}
      isAwaited={live === undefined}
      isStale={live?.stale ?? false}
      lastValue={live?.lastValue ?? null}
      onDraft={put}
    />
  );
});
