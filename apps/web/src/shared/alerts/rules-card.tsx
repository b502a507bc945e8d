import { setAlertRules } from '@heliograph/client';
import type { AlertRule, AlertRuleEntry } from '@heliograph/contracts';
import { compileGlob } from '@heliograph/metrics';
import { Button, Group, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Loading } from '../components/states/loading.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useFormat } from '../format/use-format.ts';
import { useDefinitions, useLive } from '../live/live-context.tsx';
import classes from './alerts.module.css';
import { alertRulesQuery, alertsKey } from './queries.ts';
import { entryOf, freeId, withEntry, withoutEntry } from './rule-entries.ts';
import { NewRuleForm, RuleForm } from './rule-form.tsx';
import { RULE_NAMES } from './rule-names.ts';
import { SEVERITY_LABELS } from './use-alert-sentence.ts';

interface RulesCardProps {
  readonly mayConfigure: boolean;
}

/** The rules that raise alerts; a change takes effect at once. */
export function RulesCard({ mayConfigure }: RulesCardProps) {
  const { t } = useTranslation('alerts');
  const { device } = useLive();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(alertRulesQuery(device));
  const [isAdding, setAdding] = useState(false);
  const save = useMutation({
    mutationFn: async (rules: AlertRuleEntry[]) => device && setAlertRules(device, { rules }),
    onSuccess: () => queries.invalidateQueries({ queryKey: alertsKey(device) }),
  });
  if (data === undefined) {
    return (
      <Card title={t('rules.title')}>
        {error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
      </Card>
    );
  }
  const { rules } = data;
  const change = async (entry: AlertRuleEntry): Promise<void> => {
    await save.mutateAsync(withEntry(rules, entry));
  };
  return (
    <Card title={t('rules.title')}>
      <Text c="dimmed">{t('rules.hint')}</Text>
      <ul className={classes.list}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            mayConfigure={mayConfigure}
            onChange={change}
            onRemove={() => save.mutateAsync(withoutEntry(rules, rule.id)).then(() => undefined)}
          />
        ))}
      </ul>
      {mayConfigure && !isAdding && (
        <Group>
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('rules.add')}
          </Button>
        </Group>
      )}
      {mayConfigure && isAdding && (
        <NewRuleForm id={freeId(rules)} onSave={change} onDone={() => setAdding(false)} />
      )}
    </Card>
  );
}

interface RuleRowProps {
  readonly rule: AlertRule;
  readonly mayConfigure: boolean;
  readonly onChange: (entry: AlertRuleEntry) => Promise<void>;
  /** Removes a rule of the owner; makes a built-in one as it was delivered. */
  readonly onRemove: () => Promise<void>;
}

function RuleRow({ rule, mayConfigure, onChange, onRemove }: RuleRowProps) {
  const { t } = useTranslation('alerts');
  const { title, sentence } = useRuleText()(rule);
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { enabled, source, changed, severity, condition } = rule;
  const isFixed = source === 'configuration';
  const mayChange = mayConfigure && !isFixed;
  const attempt = (change: Promise<void>): void => {
    setFailure(null);
    change.catch(setFailure);
  };
  const notes = [
    sentence,
    t(SEVERITY_LABELS[severity]),
    isFixed && t('rules.fixed'),
    enabled && condition.topics.length > 0 && rule.matching_topics === 0 && t('rules.waiting'),
  ];
  const removeLabel = t(source === 'owner' ? 'rules.remove' : 'rules.reset');
  return (
    <li className={classes.rule}>
      <div>
        <p className={classes.text}>{title}</p>
        <p className={classes.facts}>{notes.filter(Boolean).join(' · ')}</p>
      </div>
      <div className={classes.controls}>
        {mayChange && (
          <Group gap="sm">
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={t('rules.changeOf', { name: title })}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {t('rules.change')}
            </Button>
            {(source === 'owner' || changed) && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`${removeLabel}: ${title}`}
                onClick={() => attempt(onRemove())}
              >
                {removeLabel}
              </Button>
            )}
          </Group>
        )}
        <Switch
          label={t('rules.on')}
          aria-label={`${t('rules.on')}: ${title}`}
          checked={enabled}
          disabled={!mayChange}
          onChange={() => attempt(onChange({ ...entryOf(rule), enabled: !enabled }))}
        />
      </div>
      {failure !== null && <Failure error={failure} />}
      {isOpen && (
        <div className={classes.form}>
          <RuleForm rule={rule} onSave={onChange} onDone={() => setOpen(false)} />
        </div>
      )}
    </li>
  );
}

interface RuleText {
  readonly title: string;
  /** The condition in numbers; undefined where the title has it all. */
  readonly sentence: string | undefined;
}

/** How a rule is written: built-in ones by their names, those of the owner as sentences. */
function useRuleText(): (rule: AlertRule) => RuleText {
  const { t } = useTranslation('alerts');
  const { number } = useFormat();
  const heading = useDeviceLabel();
  const definitions = useDefinitions();
  return ({ id, name, source, condition }) => {
    const { kind, topics, limit, values, for_s: seconds } = condition;
    const matches = topics.map(compileGlob);
    const found = definitions.find(({ topic }) => matches.some((match) => match(topic)));
    const isOne = topics.length === 1 && topics[0] === found?.topic;
    const metric =
      found === undefined
        ? topics.join(', ')
        : isOne
          ? `${heading(found.device, found.number)}: ${found.name}`
          : found.name;
    const unit = found === undefined || found.unit === '' ? '' : ` ${found.unit}`;
    const filled = {
      name: metric,
      limit: limit === undefined ? (values ?? []).join(', ') : `${number(limit)}${unit}`,
      minutes: number(Math.round(seconds / 6) / 10),
    };
    const sentence =
      kind === 'above'
        ? t('rules.sentenceAbove', filled)
        : kind === 'below'
          ? t('rules.sentenceBelow', filled)
          : kind === 'equals'
            ? t('rules.sentenceIs', filled)
            : kind === 'unchanged' && source === 'owner'
              ? t('rules.sentenceUnchanged', filled)
              : undefined;
    // A newer device has rules that this page does not know by name.
    const key = Object.hasOwn(RULE_NAMES, id) ? RULE_NAMES[id as keyof typeof RULE_NAMES] : undefined;
    const title = name ?? (key === undefined ? (sentence ?? id) : t(key));
    // A home without such a value reads no patterns of topics.
    const isShown = title !== sentence && (found !== undefined || source !== 'built_in');
    return { title, sentence: isShown ? sentence : undefined };
  };
}
