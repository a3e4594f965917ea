warpscape run no/such/machine.yaml
