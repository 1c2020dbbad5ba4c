/** What lies on deposit addresses, and collecting it. */
export const treasury = {
  'Nothing waits to be collected: of the networks and assets that are set up here, nothing lies on your deposit addresses.':
    'Es gibt nichts einzusammeln: Von den hier eingerichteten Netzwerken und Währungen liegt nichts auf Ihren Empfangsadressen.',
  'There is nothing to collect: what buyers pay lies on addresses of your own wallet.':
    'Es gibt nichts einzusammeln: Was Käufer bezahlen, liegt auf Adressen Ihrer eigenen Wallet.',
  'Money worth {worth} lies on {count, plural, one {one deposit address} other {# deposit addresses}}.':
    'Geld im Wert von {worth} liegt auf {count, plural, one {einer Empfangsadresse} other {# Empfangsadressen}}.',
  'Money lies on {count, plural, one {one deposit address} other {# deposit addresses}}.':
    'Geld liegt auf {count, plural, one {einer Empfangsadresse} other {# Empfangsadressen}}.',
  'It is yours and safe there; collect it into your wallet whenever gas is cheap.':
    'Es gehört Ihnen und ist dort sicher; sammeln Sie es in Ihre Wallet ein, wenn die Netzwerkgebühr tief ist.',
  'Sent from this browser and in no block yet: {transactions}.':
    'Von diesem Browser gesendet und noch in keinem Block: {transactions}.',
  'To collect': 'Einzusammeln',
  'Lies there': 'Liegt dort',
  'Worth about': 'Wert ungefähr',
  'worth about': 'Wert ungefähr',
  Addresses: 'Adressen',
  addresses: 'Adressen',
  'Collecting costs now': 'Einsammeln kostet jetzt',
  'collecting costs': 'Einsammeln kostet',
  Collect: 'Einsammeln',
  '{amount} not final yet': '{amount} noch nicht endgültig',
  'the contract that collects is not there yet': 'der Smart Contract zum Einsammeln ist noch nicht da',
  'the node does not answer': 'der Knoten antwortet nicht',
  '{fee} in {count, plural, one {# transaction} other {# transactions}}':
    '{fee} in {count, plural, one {# Transaktion} other {# Transaktionen}}',
  'about {amount}': 'ungefähr {amount}',
  '{count, plural, one {one address} other {# addresses}}':
    '{count, plural, one {einer Adresse} other {# Adressen}}',
  'On {addresses} nobody expected it: a buyer took another network or coin. It is yours all the same.':
    'Auf {addresses} war es nicht erwartet: Ein Käufer nahm ein anderes Netzwerk oder eine andere Währung. Es gehört trotzdem Ihnen.',
  Collected: 'Eingesammelt',
  'Collected, not final yet': 'Eingesammelt, noch nicht endgültig',
  'In your own wallet already': 'Schon in Ihrer eigenen Wallet',
  'What came to addresses of an extended key was yours to spend from the first moment. Rappen cannot see what your wallet did with it since; this is what it received.':
    'Was an Adressen eines erweiterten Schlüssels kam, konnten Sie vom ersten Moment an ausgeben. Rappen sieht nicht, was Ihre Wallet seither damit getan hat; das hier hat sie erhalten.',
  'How to collect it': 'Wie Sie es einsammeln',
  'Your wallet shows it as one balance and spends it as one.':
    'Ihre Wallet zeigt es als ein Guthaben und gibt es als eines aus.',
  'Each address is an account of your wallet: send it on from there.':
    'Jede Adresse ist ein Konto Ihrer Wallet: Senden Sie es von dort weiter.',
  'Each address is an account of your wallet and needs a little coin for gas before it can send tokens.':
    'Jede Adresse ist ein Konto Ihrer Wallet und braucht ein wenig Guthaben für die Netzwerkgebühr, bevor sie Token senden kann.',
  '<addresses>Issued addresses</addresses>, with their indexes, also as CSV':
    '<addresses>Ausgegebene Adressen</addresses>, mit ihren Indizes, auch als CSV',

  'Collect {asset} on {network}': '{asset} auf {network} einsammeln',
  '{count, plural, one {one deposit address} other {# deposit addresses}}':
    '{count, plural, one {einer Empfangsadresse} other {# Empfangsadressen}}',
  'Nothing of this lies on deposit addresses now.': 'Davon liegt jetzt nichts auf Empfangsadressen.',
  'What lay on {addresses} was collected a moment ago.':
    'Was auf {addresses} lag, wurde soeben eingesammelt.',
  'What lay on {addresses} was collected a moment ago, and is left out.':
    'Was auf {addresses} lag, wurde soeben eingesammelt und ist nicht dabei.',
  'Back to the treasury': 'Zurück zum Bestand',
  '{amount} lies on {addresses}, and cannot be collected yet.':
    '{amount} liegen auf {addresses} und können noch nicht eingesammelt werden.',
  'What has to be done first': 'Was zuerst zu tun ist',
  'Neither the contract that collects money nor the deployer that it needs ({deployer}) is on this network. First the deployer has to be there (github.com/Arachnid/deterministic-deployment-proxy), which not every network allows; then somebody has to deploy the contract, once for everybody:':
    'Weder der Smart Contract, der Geld einsammelt, noch der Deployer, den er braucht ({deployer}), ist auf diesem Netzwerk. Zuerst muss der Deployer dort sein (github.com/Arachnid/deterministic-deployment-proxy), was nicht jedes Netzwerk erlaubt; dann muss jemand den Smart Contract aufschalten, einmal für alle:',
  'The contract that collects money is not on this network yet, and whether the deployer that it needs ({deployer}) is there is not known: its node did not say. Before anything can be collected, somebody has to deploy it, once for everybody:':
    'Der Smart Contract, der Geld einsammelt, ist noch nicht auf diesem Netzwerk, und ob der Deployer, den er braucht ({deployer}), dort ist, ist nicht bekannt: Der Knoten sagte es nicht. Bevor etwas eingesammelt werden kann, muss ihn jemand aufschalten, einmal für alle:',
  'The contract that collects money is not on this network yet. Before anything can be collected, somebody has to deploy it, once for everybody:':
    'Der Smart Contract, der Geld einsammelt, ist noch nicht auf diesem Netzwerk. Bevor etwas eingesammelt werden kann, muss ihn jemand aufschalten, einmal für alle:',
  'the command': 'den Befehl',
  'It prints the transaction for any wallet, and sends nothing by itself.':
    'Er gibt die Transaktion für jede Wallet aus und sendet selbst nichts.',
  '{amount} from {addresses} in {count, plural, one {one transaction} other {# transactions}}, for {fee} of gas at the present price.':
    '{amount} von {addresses} in {count, plural, one {einer Transaktion} other {# Transaktionen}}, für {fee} Netzwerkgebühr zum jetzigen Preis.',
  '{amount} from {addresses} in {count, plural, one {one transaction} other {# transactions}}.':
    '{amount} von {addresses} in {count, plural, one {einer Transaktion} other {# Transaktionen}}.',
  'Whoever sends it pays the gas, and the money can go to your wallet alone.':
    'Wer sie sendet, bezahlt die Netzwerkgebühr, und das Geld kann nur an Ihre Wallet gehen.',
  'The node does not say what lies there now. This is what is recorded; what was collected a moment ago may be among it.':
    'Der Knoten sagt nicht, was jetzt dort liegt. Das hier ist, was verzeichnet ist; was soeben eingesammelt wurde, kann noch dabei sein.',
  'What is sent': 'Was gesendet wird',
  '{amount} from {addresses}': '{amount} von {addresses}',
  'To your wallet': 'An Ihre Wallet',
  Contract: 'Smart Contract',
  '{address} on {network} (chain {chain})': '{address} auf {network} (Chain-ID {chain})',
  Function: 'Funktion',
  '0x0 for the coin': '0x0 für die Hauptwährung',
  Token: 'Token',
  Gas: 'Gas',
  'about {gas, number}; no coin goes with it': 'ungefähr {gas, number}; es geht kein Geld mit',
  'Addresses that did not pay out': 'Adressen, die nicht ausgezahlt haben',
  'Any account with a little coin for gas will do, not only the one that is paid.':
    'Jedes Konto mit ein wenig Guthaben für die Netzwerkgebühr genügt, nicht nur jenes, das bezahlt wird.',
  'With a Safe': 'Mit einem Safe',
  'In the Safe’s app: New transaction, Transaction Builder, and drop the file there. One file is one transaction.':
    'In der App von Safe: New transaction, Transaction Builder, und die Datei dort ablegen. Eine Datei ist eine Transaktion.',
  'Download for Safe': 'Für Safe herunterladen',
  'Download part {number} for Safe': 'Teil {number} für Safe herunterladen',
  'By the command line': 'Mit der Befehlszeile',
  'It asks for the private key of an account that holds gas and nothing else, and keeps it nowhere. <code>--dry-run</code> only says what it would send.':
    'Sie fragt nach dem privaten Schlüssel eines Kontos, das nur Guthaben für die Netzwerkgebühr hält, und behält ihn nirgends. <code>--dry-run</code> sagt nur, was gesendet würde.',
  'For developers: the call data': 'Für Entwickler: die Aufrufdaten',
  'Call data {number}': 'Aufrufdaten {number}',

  'Collect with {wallet}': 'Mit {wallet} einsammeln',
  'Sent. It waits for a block.': 'Gesendet. Es wartet auf einen Block.',
  'Collected {amounts}. A block holds it; it is not final yet.':
    '{amounts} eingesammelt. Ein Block enthält es; es ist noch nicht endgültig.',
  'Collected {amounts}. It is final.': '{amounts} eingesammelt. Es ist endgültig.',
  '{first} and {second}': '{first} und {second}',
  'This transaction moved nothing.': 'Diese Transaktion hat nichts bewegt.',
  'This transaction moved nothing: all of it had been collected before.':
    'Diese Transaktion hat nichts bewegt: Alles war schon vorher eingesammelt.',
  'The transaction failed and moved nothing. What lies there can be collected again.':
    'Die Transaktion ist fehlgeschlagen und hat nichts bewegt. Was dort liegt, kann wieder eingesammelt werden.',
  'Sent a moment ago, also in another tab: {txid}. A second one would move nothing.':
    'Soeben gesendet, auch in einem anderen Tab: {txid}. Eine zweite würde nichts bewegen.',
  'This has been collected meanwhile, or more came. Nothing was sent: load the page again.':
    'Das wurde inzwischen eingesammelt, oder es kam mehr dazu. Es wurde nichts gesendet: Laden Sie die Seite neu.',
  'What lies there could not be looked up. Nothing was sent.':
    'Was dort liegt, konnte nicht abgefragt werden. Es wurde nichts gesendet.',
  'What still lies there is not known: the node does not say.':
    'Was noch dort liegt, ist nicht bekannt: Der Knoten sagt es nicht.',
  '{count, plural, one {One address} other {# addresses}} with {amounts} did not pay out, as a rule because the token, or the wallet that is paid, refuses it. It stays there, and can be collected when that has changed.':
    '{count, plural, one {Eine Adresse} other {# Adressen}} mit {amounts} {count, plural, one {hat} other {haben}} nicht ausgezahlt, in der Regel, weil der Token oder die Wallet, die bezahlt wird, das ablehnt. Es bleibt dort und kann eingesammelt werden, wenn sich das geändert hat.',
} as const;
