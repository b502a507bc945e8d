import type { MetricDefinition, MetricValue } from '@heliograph/client';
import { Loader, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormatValue } from '../metrics/use-format-value.ts';
import { controlId } from './changes.ts';
import { ruleOf } from './control-rule.ts';
import { DraftInput } from './draft-input.tsx';
import { isOn } from './drafts.ts';
import inputs from './inputs.module.css';
import classes from './setting-control.module.css';
import { useRefusalSentence } from './use-refusal-sentence.ts';
import { useRuleLabels } from './use-rule-labels.ts';
import { useSettingNames } from './use-setting-names.ts';
import { isInForceAfterAll, isSuperseded, type WriteState } from './write-state.ts';

interface SettingControlProps {
  readonly definition: MetricDefinition;
  /** Null is unknown. */
  readonly value: MetricValue;
  /** Whether the value has not arrived yet; nothing is changed until then. */
  readonly isAwaited?: boolean;
  /** Whether the device has had no reading for too long; nothing is changed then. */
  readonly isStale: boolean;
  /** The last reading, shown while it is stale. */
  readonly lastValue?: MetricValue;
  /** Without it the value is shown without a control. */
  readonly mayWrite: boolean;
  /** The value that was typed or chosen and not applied; undefined: none was. */
  readonly draft?: string | undefined;
  /** This component sends nothing itself. */
  readonly onDraft: (text: string | undefined) => void;
  /** Asks for a review of all drafts, as Enter does. */
  readonly onReview?: () => void;
  /** Whether drafts that cannot be sent say so. */
  readonly isChecked?: boolean;
  /** How the last change went. */
  readonly write?: WriteState | undefined;
  /** Whether the name stands elsewhere, at the head of a column. */
  readonly isCompact?: boolean;
  /** Whether the device cannot be reached. */
  readonly isOffline?: boolean;
  /** The path of the log of writes, for a change whose outcome is unknown. */
  readonly logPath?: string | undefined;
}

/** A setting of the hardware, with the control that fits it. */
export function SettingControl(props: SettingControlProps) {
  const { definition, value, isStale, mayWrite, draft, onDraft, write, logPath } = props;
  const { onReview = () => undefined, isChecked = false, isOffline = false, isCompact = false } = props;
  const { isAwaited = false, lastValue = null } = props;
  const known = isStale ? lastValue : value;
  const { t } = useTranslation('settings');
  const { t: ofShared } = useTranslation();
  const shown = useFormatValue();
  const rule = ruleOf(definition);
  const { hint } = useRuleLabels(definition, rule);
  const id = controlId(definition.topic);
  const about = `${id}-about`;
  const isDisabled = isStale || isOffline || isAwaited;
  const isSending = write?.state === 'sending';
  const { nameOf, optionOf, helpOf } = useSettingNames();
  const name = nameOf(definition.name);
  const help = helpOf(definition);
  const reported =
    rule?.kind === 'select' && known !== null ? optionOf(String(known)) : shown(known, definition.unit);
  const now = isAwaited ? ofShared('loading') : reported;

  if (!mayWrite || rule === null) {
    return (
      <div className={classes.row} data-compact={isCompact || undefined}>
        <div>
          <p className={classes.name}>{name}</p>
          {mayWrite && <p className={classes.hint}>{t('readOnly')}</p>}
        </div>
        <p className={classes.value} data-stale={isStale || undefined} translate="no">
          {now}
        </p>
      </div>
    );
  }
  return (
    <div
      className={classes.row}
      data-kind={rule.kind}
      data-compact={isCompact || undefined}
      data-edited={draft === undefined ? undefined : ''}
      aria-busy={isAwaited || undefined}
    >
      <div>
        <label className={classes.name} htmlFor={id}>
          {name}
        </label>
        <div id={about}>
          {help !== '' && <p className={classes.hint}>{help}</p>}
          {hint !== '' && <p className={classes.hint}>{hint}</p>}
          {isStale && <p className={classes.stale}>{t('stale')}</p>}
          {isOffline && <VisuallyHidden>{t('offline')}</VisuallyHidden>}
        </div>
      </div>
      <div className={classes.control}>
        {rule.kind === 'switch' ? (
          <SwitchInput
            id={id}
            isOn={isOn(rule, draft ?? known)}
            {...(isAwaited && { placeholder: now })}
            isDisabled={isDisabled || isSending}
            describedBy={about}
            onToggle={(on) => onDraft(on === isOn(rule, value) ? undefined : on ? rule.on : rule.off)}
          />
        ) : (
          <DraftInput
            {...{ id, definition, rule, draft, isChecked, onDraft, onReview }}
            value={known}
            {...(isAwaited && { placeholder: now })}
            isDisabled={isDisabled || isSending}
            describedBy={about}
          />
        )}
        <div role="status">
          {write && (
            <WriteNote
              write={write}
              now={now}
              isSuperseded={isSuperseded(write, rule, value)}
              isInForce={isInForceAfterAll(write, rule, value)}
              logPath={logPath}
            />
          )}
        </div>
      </div>
    </div>
  );
}

interface SwitchInputProps {
  readonly id: string;
  /** Null is unknown: neither on nor off. */
  readonly isOn: boolean | null;
  /** In place of the state, until it has arrived. */
  readonly placeholder?: string;
  readonly isDisabled: boolean;
  readonly describedBy: string;
  readonly onToggle: (isOn: boolean) => void;
}

/** On or off: as the device reports it, or as it is to be. */
function SwitchInput({ id, isOn, placeholder, isDisabled, describedBy, onToggle }: SwitchInputProps) {
  const { t } = useTranslation('site');
  const label =
    isOn === null ? t('metrics.value.unknown') : isOn ? t('metrics.value.on') : t('metrics.value.off');
  return (
    <label className={inputs.switch}>
      <span className={inputs.switchLabel} aria-hidden="true">
        {placeholder ?? label}
      </span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox reports its state itself
        role="switch"
        id={id}
        checked={isOn === true}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={() => onToggle(isOn !== true)}
      />
      <span className={inputs.track} data-unknown={isOn === null || undefined} aria-hidden="true" />
    </label>
  );
}

interface WriteNoteProps {
  readonly write: WriteState;
  /** The value that the hardware reports now, with its unit. */
  readonly now: string;
  /** Whether that is no longer what it was changed to. */
  readonly isSuperseded: boolean;
  /** Whether it is what a write was to change it to that did not end well. */
  readonly isInForce: boolean;
  /** The path of the log of writes. */
  readonly logPath: string | undefined;
}

/** How the last change of a setting went, in words. */
function WriteNote({ write, now, isSuperseded, isInForce, logPath }: WriteNoteProps) {
  const { t } = useTranslation('settings');
  const { t: ofNames } = useTranslation('settingNames');
  const sentenceOf = useRefusalSentence();
  if (isInForce)
    return <p className={`${classes.note} ${classes.done}`}>{t('write.done', { value: now })}</p>;
  switch (write.state) {
    case 'sending':
      return (
        <p className={`${classes.note} ${classes.sending}`}>
          <Loader size="xs" />
          {t('write.sending')}
        </p>
      );
    case 'done':
      return isSuperseded ? (
        <p className={classes.note}>{t('write.overtaken', { value: now })}</p>
      ) : (
        <p className={`${classes.note} ${classes.done}`}>{t('write.done', { value: now })}</p>
      );
    case 'refused':
      return (
        <Failed
          text={write.refusal === undefined ? t('write.refused') : sentenceOf(write.refusal)}
          more={write.message}
        />
      );
    case 'notAllowed':
      return <Failed text={t('write.notAllowed')} />;
    case 'tooMany':
      return <Failed text={t('write.tooMany')} />;
    case 'notSent':
      return <Failed text={t('write.notSent')} />;
    case 'offline':
      return <Failed text={t('write.offline')} />;
    case 'unknown':
      return (
        <div className={`${classes.note} ${classes.failed}`}>
          {write.refusal === undefined ? (
            <p>{t('write.unknown')}</p>
          ) : (
            <>
              <p>{sentenceOf(write.refusal)}</p>
              <p>{ofNames('refusals.later')}</p>
            </>
          )}
          {logPath !== undefined && <Link href={logPath}>{t('write.toLog')}</Link>}
        </div>
      );
  }
}

function Failed({ text, more }: { readonly text: string; readonly more?: string }) {
  return (
    <div className={`${classes.note} ${classes.failed}`}>
      <p>{text}</p>
      {more !== undefined && <p className={classes.answer}>{more}</p>}
    </div>
  );
}
