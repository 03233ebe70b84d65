import { render } from 'preact';
import { LivePage } from './io/live-page.js';
import { Store } from './io/store.js';
import { initialState } from './state/page-state.js';
import { Dashboard } from './views/dashboard.js';

const place = document.getElementById('page');
if (place === null) throw new Error('The document has no element with the id "page".');

const store = new Store(initialState);
const live = new LivePage(store);
live.start();
render(<Dashboard store={store} live={live} />, place);
