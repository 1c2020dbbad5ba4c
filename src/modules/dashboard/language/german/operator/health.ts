/** How the instance does, for its operator. */
export const health = {
  'As this instance sees it at {time}. <again>Look again</again>':
    'Wie diese Instanz es sieht, {time}. <again>Neu ansehen</again>',
  'Nothing is wrong that can be seen from here.': 'Von hier aus ist nichts zu sehen, was nicht stimmt.',
  'What is wrong': 'Was nicht stimmt',
  'wrong|a finding': 'Fehler',
  'watch|a finding': 'beobachten',
  'See|more of a finding': 'Ansehen',
  Networks: 'Netzwerke',
  'Each network': 'Jedes Netzwerk',
  'At the checkout': 'An der Kasse',
  offered: 'angeboten',
  'not offered': 'nicht angeboten',
  'Our block': 'Unser Block',
  'our block': 'unser Block',
  'Behind|in blocks': 'Rückstand',
  'behind|in blocks': 'Rückstand',
  'Block’s time': 'Zeit des Blocks',
  'block’s time': 'Zeit des Blocks',
  'Tip last seen': 'Spitze zuletzt gesehen',
  'tip last seen': 'Spitze zuletzt gesehen',
  'Second node': 'Zweiter Knoten',
  'second node': 'zweiter Knoten',
  'agrees|a node': 'stimmt überein',
  'silent|a node': 'schweigt',
  'disagrees|a node': 'widerspricht',
  Watched: 'Beobachtet',
  watched: 'beobachtet',
  'here|watched': 'hier',
  'by another instance, or by none': 'von einer anderen Instanz oder von keiner',
  '{count, plural, one {# failure in a row} other {# failures in a row}}':
    '{count, plural, one {# Fehler in Folge} other {# Fehler in Folge}}',
  'Could not be learned.': 'War nicht zu erfahren.',
  'None is configured.': 'Keines ist eingerichtet.',

  Rates: 'Kurse',
  'Each pair': 'Jedes Paar',
  Pair: 'Paar',
  Price: 'Kurs',
  Age: 'Alter',
  age: 'Alter',
  'Furthest source': 'Grösste Abweichung',
  'furthest source': 'grösste Abweichung',
  Sources: 'Quellen',
  '{price}, {time} old': '{price}, {time} alt',
  'through {source}': 'über {source}',
  'The sandbox has fixed prices.': 'Die Sandbox hat feste Kurse.',
  'No network is configured, so no price is asked for.':
    'Es ist kein Netzwerk eingerichtet, darum wird kein Kurs abgefragt.',

  Queues: 'Warteschlangen',
  'Each queue': 'Jede Warteschlange',
  Queue: 'Warteschlange',
  Oldest: 'Ältestes',
  oldest: 'Ältestes',
  'What waits': 'Was wartet',
  'not learned': 'nicht zu erfahren',
  'News from the chains': 'Neues von den Blockchains',
  'payments to be decided again': 'Zahlungen, die neu zu entscheiden sind',
  'Ended windows': 'Abgelaufene Fristen',
  'payments to be expired': 'Zahlungen, die als abgelaufen zu vermerken sind',
  'deliveries that are due or wait for another try':
    'Zustellungen, die fällig sind oder auf einen weiteren Versuch warten',
  'deliveries that are due or wait for another try; {count, plural, one {# is} other {# are}} being sent now':
    'Zustellungen, die fällig sind oder auf einen weiteren Versuch warten; jetzt {count, plural, one {wird #} other {werden #}} gesendet',
  'Alerts by mail': 'Warnungen per E-Mail',
  'to merchants and to you': 'an Händler und an Sie',
  'Alerts by webhook': 'Warnungen per Webhook',
  'to you': 'an Sie',
  'payments that wait for their merchants': 'Zahlungen, die auf ihre Händler warten',

  Database: 'Datenbank',
  Size: 'Grösse',
  Connections: 'Verbindungen',
  '{used} of {most}': '{used} von {most}',
  'Oldest transaction': 'Älteste Transaktion',
  'none is open': 'keine ist offen',
  Migrations: 'Migrationen',
  '{count} applied, the last is {name}': '{count} angewendet, die letzte ist {name}',
  'missing: {names}': 'es fehlen: {names}',
  'Its largest tables': 'Ihre grössten Tabellen',
  'Largest tables': 'Grösste Tabellen',
  Rows: 'Zeilen',
  rows: 'Zeilen',
  'about {count, number}': 'etwa {count, number}',
  'The largest tables could not be learned.': 'Die grössten Tabellen waren nicht zu erfahren.',

  'the networks': 'die Netzwerke',
  'what is not looked for any more': 'wonach nicht mehr gesucht wird',
  'the news from the chains': 'das Neue von den Blockchains',
  'the ended payment windows': 'die abgelaufenen Zahlungsfristen',
  'the review queue': 'was zu prüfen ist',
  'the webhook deliveries': 'die Webhook-Zustellungen',
  'the alerts to be sent': 'die Warnungen, die zu senden sind',
  'the open alerts': 'die offenen Warnungen',
  'the database server': 'der Datenbankserver',
  'the tables': 'die Tabellen',
  'The database was slow to answer, or refused: {names} could not be learned. Nothing is known of them, good or bad.':
    'Die Datenbank antwortete langsam oder gar nicht. Nicht zu erfahren: {names}. Darüber ist nichts bekannt, weder Gutes noch Schlechtes.',
  '{network} is not offered at the checkout: {why}.': '{network} wird an der Kasse nicht angeboten: {why}.',
  'No block of {network} has become final for {duration}: payments that wait for it stay pending or confirmed. Compare what its node calls final with a block explorer.':
    '{duration} lang ist kein Block von {network} endgültig geworden: Zahlungen, die darauf warten, bleiben «unterwegs» oder «bestätigt». Vergleichen Sie, was sein Knoten endgültig nennt, mit einem Block-Explorer.',
  'its two nodes say different things': 'seine zwei Knoten sagen Verschiedenes',
  'it is halted: its node is on another chain': 'es ist angehalten, sein Knoten ist auf einer anderen Kette',
  'its second node does not answer': 'sein zweiter Knoten antwortet nicht',
  'none of its blocks has been read yet': 'noch keiner seiner Blöcke ist gelesen',
  'we are {count, plural, one {# block} other {# blocks}} behind its node':
    'wir sind {count, plural, one {# Block} other {# Blöcke}} hinter seinem Knoten',
  'its node shows nothing new': 'sein Knoten zeigt nichts Neues',
  '{symbol} on {network} is not offered at the checkout: {why}.':
    '{symbol} auf {network} wird an der Kasse nicht angeboten: {why}.',
  'its node does not say what addresses hold, or says it or traces blocks too slowly, so coin from a contract would be seen late':
    'sein Knoten sagt nicht, was Adressen halten, oder sagt es oder verfolgt Blöcke zu langsam; Geld aus einem Vertrag würde darum spät gesehen',
  'blocks that were passed without looking for it are being searched':
    'Blöcke, in denen nicht danach gesucht wurde, werden nun durchsucht',
  'more addresses have open windows than can be compared with every block, so coin from a contract would be seen late at merchants who issue more than their share':
    'mehr Adressen haben offene Fristen, als sich mit jedem Block vergleichen lassen; Geld aus einem Vertrag würde darum spät gesehen bei Händlern, die mehr als ihren Anteil ausgeben',
  'Buyers were given addresses for {asset} on {network}, and it is not in the configuration any more: what they pay is not seen.':
    'Käufer haben Adressen für {asset} auf {network} bekommen, das nicht mehr eingerichtet ist: Was sie zahlen, wird nicht gesehen.',
  '{count, plural, one {# wallet} other {# wallets}} on {network} cannot be chosen at the checkout until its node has said which addresses were used before.':
    '{count, plural, one {# Wallet} other {# Wallets}} auf {network} lassen sich an der Kasse erst wählen, wenn der Knoten gesagt hat, welche Adressen schon benutzt wurden.',
  '{network} has more recent addresses than can be compared with every block, by {count} at least: coin that a contract pays to those is found later, once it is final.':
    '{network} hat mehr neue Adressen, als sich mit jedem Block vergleichen lassen, mindestens {count} zu viel: Geld, das ein Vertrag an diese zahlt, wird später gefunden, sobald es endgültig ist.',
  'The node of {network} has failed {failures} times in a row: {error}.':
    'Der Knoten von {network} hat {failures}-mal in Folge versagt: {error}.',
  '{asset} has no price in {currency} and cannot be chosen: {why}.':
    '{asset} hat keinen Kurs in {currency} und lässt sich nicht wählen: {why}.',
  'no source is configured': 'keine Quelle ist eingerichtet',
  counts: 'zählt',
  'is alone': 'steht allein da',
  'is silent': 'schweigt',
  'has an old price': 'hat einen alten Kurs',
  'is too far from the others': 'weicht zu weit ab',
  '{source} for {pairs}. The other sources give a price.':
    '{source} bei {pairs}. Die anderen Quellen geben einen Kurs.',
  'News from the chain about {count, plural, one {# payment} other {# payments}} has not been decided for {time}.':
    'Neues von der Kette zu {count, plural, one {# Zahlung} other {# Zahlungen}} wartet schon {time} auf einen Entscheid.',
  '{count, plural, one {# payment window} other {# payment windows}} ended without a decision, the first {time} ago.':
    '{count, plural, one {# Zahlungsfrist ist} other {# Zahlungsfristen sind}} ohne Entscheid abgelaufen, die erste wartet schon {time}.',
  'Webhook deliveries are late: one has been due for {time}.':
    'Webhook-Zustellungen sind verspätet: Eine ist schon {time} fällig.',
  '{count, plural, one {# alert} other {# alerts}} cannot be sent by mail, the first for {time}.':
    '{count, plural, one {# Warnung lässt} other {# Warnungen lassen}} sich nicht per E-Mail senden, die erste wartet schon {time}.',
  '{count, plural, one {# alert} other {# alerts}} cannot be sent to the operator’s webhook, the first for {time}.':
    '{count, plural, one {# Warnung lässt} other {# Warnungen lassen}} sich nicht an den Webhook des Betreibers senden, die erste wartet schon {time}.',
  'The database lacks {count, plural, one {# migration} other {# migrations}}: run “migrate”.':
    'Der Datenbank {count, plural, one {fehlt # Migration} other {fehlen # Migrationen}}: Führen Sie «migrate» aus.',
  '{used} of the server’s {most} connections are taken.':
    '{used} der {most} Verbindungen des Servers sind belegt.',
  'A transaction has been open for {time}: nothing is cleaned behind it.':
    'Eine Transaktion ist schon {time} offen: Dahinter wird nichts aufgeräumt.',
  '{count, plural, one {# alert} other {# alerts}} that nobody has acknowledged.':
    '{count, plural, one {# Warnung} other {# Warnungen}}, von niemandem zur Kenntnis genommen.',
} as const;
