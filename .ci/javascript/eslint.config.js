import js from '@eslint/js';

const BROWSER = [
  'Blob', 'Response', 'URL', 'URLSearchParams', 'WebSocket', 'clearInterval', 'clearTimeout', 'console', 'document', 'fetch',
  'localStorage', 'location', 'history', 'matchMedia', 'navigator', 'performance', 'setInterval', 'setTimeout',
  'requestAnimationFrame', 'DOMParser', 'ResizeObserver',
];

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: 'module',
      globals: Object.fromEntries(BROWSER.map((name) => [name, 'readonly'])),
    },
    rules: {
      eqeqeq: 'error',
      'no-shadow': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
];
