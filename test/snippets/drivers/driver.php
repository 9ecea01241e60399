<?php
require __DIR__ . '/claimcheck.php';

while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true);
    $applied = [];
    $apply = function (array $claim) use (&$applied) {
        $applied[] = $claim['offer_id'];
    };
    try {
        $status = isset($call['key'])
            ? Claimcheck\redeem($call['token'], $call['key'], $apply)
            : Claimcheck\verify($call['token'])['status'];
        $end = ['status' => $status];
    } catch (Throwable $error) {
        $end = ['error' => $error->getMessage()];
    }
    fwrite(STDOUT, json_encode($end + ['applied' => $applied]) . "\n");
}
