// Traces name files and lines of src only for what is loaded after this: so the service is, and nothing before.
process.setSourceMapsEnabled(true);
await import('./app.start.js');
