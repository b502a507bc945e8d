import { show } from '../shared/app-frame.tsx';
import { startI18n } from '../shared/i18n/i18n.ts';
import type { TextFile } from '../shared/i18n/text-files.ts';
import { Catalogue } from './catalogue.tsx';

const texts = import.meta.glob<TextFile>('../locales/*/{shared,site}.json');
await startI18n(texts, ['shared', 'site', 'settings']);
show(<Catalogue />);
