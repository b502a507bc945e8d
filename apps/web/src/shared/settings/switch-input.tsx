import { useTranslation } from 'react-i18next';
import classes from './controls.module.css';

interface SwitchInputProps {
  readonly id: string;
  /** Null is unknown: neither on nor off. */
  readonly isOn: boolean | null;
  readonly isDisabled: boolean;
  readonly describedBy: string;
  readonly onToggle: (isOn: boolean) => void;
}

/** On or off. It shows what is, and turns when the device reports it. */
export function SwitchInput({ id, isOn, isDisabled, describedBy, onToggle }: SwitchInputProps) {
  const { t } = useTranslation('site');
  const words =
    isOn === null ? t('metrics.value.unknown') : isOn ? t('metrics.value.on') : t('metrics.value.off');
  return (
    <label className={classes.switch}>
      <span className={classes.switchWords} aria-hidden="true">
        {words}
      </span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox tells by itself whether it is checked
        role="switch"
        id={id}
        checked={isOn === true}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={() => onToggle(isOn !== true)}
      />
      <span className={classes.track} data-unknown={isOn === null || undefined} aria-hidden="true" />
    </label>
  );
}
