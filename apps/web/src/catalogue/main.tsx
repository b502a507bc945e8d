import { show } from '../shared/app-frame.tsx';
import { startTexts } from '../shared/i18n/i18n.ts';
import { Catalogue } from './catalogue.tsx';

await startTexts(['shared', 'site']);
show(<Catalogue />);
