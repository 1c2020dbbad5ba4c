// Node maps traces only of what is loaded after this; a static import would be loaded before it.
process.setSourceMapsEnabled(true);
await import('./app.start.js');
