import { useTranslation } from 'react-i18next';

/** What people call a way to reach hardware, by what its addresses begin with. */
export function useTransportLabel(): (transport: string) => string {
  const { t } = useTranslation('configuration');
  const words: Readonly<Record<string, string>> = {
    'modbus-tcp': t('transports.modbusTcp'),
    'modbus-rtu': t('transports.modbusRtu'),
    'modbus-rtu-tcp': t('transports.modbusRtuTcp'),
    solarman: t('transports.solarman'),
    serial: t('transports.serial'),
    'serial-tcp': t('transports.serialTcp'),
    hid: t('transports.hid'),
  };
  return (transport) => words[transport] ?? (transport === '' ? t('transports.other') : transport);
}
