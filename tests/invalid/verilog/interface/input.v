interface bus; endinterface
