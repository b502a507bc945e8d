import { loadTexts } from 'virtual:texts';
import { show } from '../shared/app-frame.tsx';
import { startI18n } from '../shared/i18n/i18n.ts';
import { Catalogue } from './catalogue.tsx';

await startI18n(loadTexts, ['shared', 'site', 'settings', 'settingNames', 'metrics', 'metricNames']);
show(<Catalogue />);
